# A sample anonymizer, a sample attack and a scorer for contests of microdata. Needs nothing but Ruby.
require "csv"
require "fileutils"
require "json"

def read(path)
  CSV.read(path, headers: true, encoding: "bom|utf-8").map(&:to_h)
end

def numbers(path)
  File.read(path).split.map(&:to_i)
end

def anonymize(original, amounts, out, seed)
  rows, names, rng = read(original), amounts.split(","), Random.new(seed.to_i)
  order = (0...rows.size).to_a.shuffle(random: rng)
  FileUtils.mkdir_p(out)
  CSV.open(File.join(out, "published.csv"), "w") do |csv|
    csv << rows.first.keys
    order.each do |place|
      csv << rows[place].map { |name, cell| names.include?(name) ? (cell.to_f * rng.rand(0.8..1.2)).round : cell }
    end
  end
  File.write(File.join(out, "secret.csv"), order.map { |place| "#{place + 1}\n" }.join)
end

def attack(original, published, amounts, out)
  names = amounts.split(",")
  sums = ->(path) { read(path).map { |row| names.sum { |name| row[name].to_f } } }
  ranked = ->(values) { values.each_index.sort_by { |place| [values[place], place] } }
  known, seen = ranked.(sums.(original)), ranked.(sums.(published))
  guess = Array.new(seen.size)
  seen.each_with_index { |place, rank| guess[place] = known[[rank, known.size - 1].min] + 1 }
  FileUtils.mkdir_p(out)
  File.write(File.join(out, "guess-sort.csv"), guess.map { |row| "#{row}\n" }.join)
end

def score(original, published, secret, guess, amounts)
  before, after, names = read(original), read(published), amounts.split(",")
  mean = ->(rows, name) { rows.sum { |row| row[name].to_f } / rows.size }
  mae = names.sum { |name| (mean.(before, name) - mean.(after, name)).abs } / names.size
  truth, answer = numbers(secret), numbers(guess)
  found = truth.zip(answer).count { |one, other| one == other }.to_f / truth.size
  puts JSON.generate({ mean_mae: mae, re_identification: found })
end

send(ARGV[0], *ARGV[1..])
