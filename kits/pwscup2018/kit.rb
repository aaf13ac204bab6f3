# Samples for contests with the files of 2018: see kit.py. Needs nothing but Ruby.
require "csv"
require "date"
require "fileutils"
require "json"
require "set"

USER, DATE, ITEM, PRICE, QUANTITY = *0..4

def rows(path)
  CSV.read(path, encoding: "bom|utf-8").reject(&:empty?)
end

def read(folder, stem)
  name = Dir.children(folder).sort.find { |file| file.split(".")[0].split("_")[0] == stem }
  rows(File.join(folder, name))
end

def write(path, lines)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, lines.map { |line| line.join(",") + "\n" }.join)
end

def anonymize(folder, out, seed)
  table, rng = read(folder, "T"), Random.new(seed.to_i)
  customers = table.map { |row| row[USER] }.uniq.sort
  names = customers.zip((1..10 * customers.size).to_a.sample(customers.size, random: rng)).to_h
  made = table.map do |row|
    year, month, = row[DATE].split("/").map(&:to_i)
    last = Date.new(year, month, -1).day
    ["p#{names[row[USER]]}", "[#{year}/#{month}/1;#{year}/#{month}/#{last}]", *row[ITEM..]]
  end
  write(File.join(out, "A.csv"), made)
end

def items(table)
  found = {}
  table.each { |row| (found[row[USER]] ||= Set.new).merge(row[ITEM].delete("{}").split(";")) }
  found
end

def attack(folder, out)
  known, shown = items(read(folder, "T")), items(read(folder, "A1"))
  guess = shown.map do |pseudonym, left|
    [pseudonym, known.max_by { |_, right| (left & right).size.to_f / (left | right).size }.first]
  end
  write(File.join(out, "F1_jaccard.csv"), guess)
end

def number(cell, column)
  return Date.new(*cell.split("/").map(&:to_i)).jd if column == DATE

  column == PRICE ? (cell.to_f * 100).round : cell.to_i
end

def loss(cell, column, true_, spread)
  return 1.0 if cell == "*"
  return 1 - 1.0 / cell.split(";").size if cell.start_with?("{")
  return 0.0 unless cell.start_with?("[")

  # One day, one cent or one piece is the unit.
  low, high = cell[1...-1].split(";").map { |part| number(part, column) }
  ((low - true_)**2 + (high - true_)**2 + (high - low)) / (2.0 * (high - low + 1) * spread)
end

def score(folder, guess)
  table, made = read(folder, "T"), read(folder, "A")
  losses = [DATE, ITEM, PRICE, QUANTITY].map do |column|
    trues = table.map { |row| column == ITEM ? 0 : number(row[column], column) }
    mean = trues.sum.to_f / trues.size
    spread = Math.sqrt(trues.sum { |x| (x - mean)**2 } / trues.size)
    spread = 1.0 if spread.zero?
    trues.zip(made).sum { |x, after| loss(after[column], column, x, spread) } / trues.size
  end
  owners = {}
  table.zip(made).each { |before, after| owners[after[USER]] ||= before[USER] }
  answers = rows(guess)
  right = answers.count { |pseudonym, customer| owners[pseudonym] == customer }
  # r(n): the least r whose tail of (1/3)^i C(n, i) is below 0.01 / 20.
  n = answers.size
  choose = ->(k) { (1..k).inject(1) { |product, i| product * (n + 1 - i) / i } }
  least, chance = n + 1, 0r
  while least.positive? && chance + Rational(choose.(least - 1), 3**(least - 1)) < Rational(1, 2000)
    least -= 1
    chance += Rational(choose.(least), 3**least)
  end
  puts JSON.generate({ ut_il: losses.sum / 4, identification_test: right.to_f / least })
end

send(ARGV[0], *ARGV[1..])
