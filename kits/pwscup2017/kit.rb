# Samples for contests with the files of 2017: see kit.py. Needs nothing but Ruby.
require "csv"
require "date"
require "fileutils"
require "json"

USER, INVOICE, DATE, TIME, ITEM, PRICE, QUANTITY = *0..6
KEYS = { "S1" => [DATE, QUANTITY], "S2" => [ITEM, PRICE], "S3" => [ITEM, QUANTITY],
         "S4" => [DATE, ITEM], "S5" => [ITEM, PRICE, QUANTITY], "S6" => [ITEM, DATE, QUANTITY] }

def rows(path)
  CSV.read(path, encoding: "bom|utf-8").reject(&:empty?).map { |row| row.map(&:to_s) }
end

def read(folder, stem)
  name = Dir.children(folder).sort.find { |file| file.split(".")[0].split("_")[0] == stem }
  rows(File.join(folder, name))
end

def write(path, lines)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, lines.map { |line| line.join(",") + "\n" }.join)
end

def month(row)
  row[DATE].split("/").first(2).map(&:to_i)
end

def anonymize(folder, out, seed)
  table, rng = read(folder, "T"), Random.new(seed.to_i)
  places = table.map { |row| [row[USER], month(row)] }.uniq.sort
  numbers = (1..10 * places.size).to_a.sample(places.size, random: rng)
  names = places.zip(numbers.map { |number| "p#{number}" }).to_h
  made = table.map do |row|
    price = [(row[PRICE].to_f * rng.rand(0.9..1.1)).round(2), 0.01].max
    [names[[row[USER], month(row)]], *row[1...PRICE], format("%.2f", price), row[QUANTITY]]
  end
  write(File.join(out, "AT.csv"), made)
end

def attack(folder, out, table = "T")
  known, shown = read(folder, table).reject { |row| row[DATE].empty? }, read(folder, "S")
  customers = read(folder, "M").map(&:first)
  months = (known + shown).map { |row| month(row) }.uniq.sort
  KEYS.each do |name, columns|
    key = ->(row) { columns.map { |column| column == ITEM ? row[column][0, 2] : row[column] } }
    pseudonyms = shown.to_h { |row| [key.(row), row[USER]] }
    guess = customers.to_h { |customer| [customer, months.to_h { |each| [each, "DEL"] }] }
    known.each { |row| guess[row[USER]][month(row)] = pseudonyms[key.(row)] if pseudonyms.key?(key.(row)) }
    write(File.join(out, "Fh_#{name}.csv"), [[customers.size], *customers.map { |c| [c, *guess[c].values] }])
  end
end

# Items by what users buy of them in total, as scored, every vector of length 1.
def item_vectors(table, chosen = nil, &scoring)
  totals = Hash.new { |items, item| items[item] = Hash.new(0.0) }
  table.each { |row| totals[row[ITEM]][row[USER]] += row[QUANTITY].to_f if chosen.nil? || chosen.include?(row[ITEM]) }
  totals.transform_values do |buyers|
    scores = buyers.transform_values(&scoring).reject { |_, value| value.zero? }
    length = Math.sqrt(scores.values.sum { |value| value * value })
    scores.transform_values { |value| value / length }
  end
end

def similarity(one, other)
  one.sum(0.0) { |user, value| value * other.fetch(user, 0) }
end

# How far the similarities of any two items have moved, per similarity before; at most 1.
def similarity_loss(before, after)
  total, lost, none = 0.0, 0.0, {}
  before.keys.combination(2) do |one, other|
    was = similarity(before[one], before[other])
    next if was.zero?

    total += was
    lost += (was - similarity(after.fetch(one, none), after.fetch(other, none))).abs
  end
  [lost / total, 1.0].min
end

# The 100 items that most users buy; of equally popular ones those whose id comes later.
def popular(table)
  buyers = table.group_by { |row| row[ITEM] }.transform_values { |some| some.map(&:first).uniq.size }
  buyers.keys.sort_by { |item| [buyers[item], item] }.last(100)
end

# E1, E2, and the two numbers of E3.
def items_lost(original, kept)
  chosen = popular(original)
  measure = lambda do |among = nil, &scoring|
    similarity_loss(item_vectors(original, among, &scoring), item_vectors(kept, among, &scoring))
  end
  {
    quantity_similarity: measure.call { |total| (total / 12).floor.clamp(0, 6).to_f },
    small_quantity_similarity: measure.call { |total| total > 11 ? 0.0 : total },
    popular_similarity: measure.call(chosen) { |total| total.positive? ? 1.0 : 0.0 },
    popular_items: (chosen - popular(kept)).size.to_f / chosen.size,
  }
end

def score(folder, guess)
  original, made, customers = read(folder, "T"), read(folder, "AT"), read(folder, "M").map(&:first)
  months = original.map { |row| month(row) }.uniq.sort
  truth = customers.to_h { |customer| [customer, months.to_h { |each| [each, "DEL"] }] }
  shift, loss, deleted = 0, 0.0, 0
  original.zip(made).each do |before, after|
    next deleted += 1 if after[USER] == "DEL"

    cells = truth[before[USER]]
    cells[month(before)] = after[USER] if cells[month(before)] == "DEL"
    days = [before, after].map { |row| Date.new(*row[DATE].split("/").map(&:to_i)) }
    low, high = [before, after].map { |row| row[PRICE].to_f }.minmax
    shift += (days[0] - days[1]).abs.to_i
    loss += 1 - low / high
  end
  found = rows(guess).select { |row| row.size > 1 }.to_h { |row| [row[0], row[1..]] }
  right = customers.map { |customer| truth[customer].values.zip(found[customer]).map { |a, b| a == b } }
  match = right.sum { |cells| cells.count(true) }
  absent = truth.values.sum { |cells| cells.values.count("DEL") }
  total = customers.size * months.size
  puts JSON.generate({
    **items_lost(original, made.reject { |row| row[USER] == "DEL" }),
    date_shift: shift.to_f / (31 * made.size), price_ratio: loss / made.size, rows_deleted: deleted.to_f / made.size,
    user_matching: right.count(&:all?).to_f / customers.size,
    month_matching: [(match - absent).to_f / (total - absent), 0].max,
  })
end

send(ARGV[0], *ARGV[1..])
