# Samples for contests of tables, as in 2015: see kit.py. Needs nothing but Ruby.
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

def ranked(values)
  values.each_index.sort_by { |place| [values[place], place] }
end

def sort(known, seen, names)
  by_known, by_seen = [known, seen].map { |rows| ranked(rows.map { |row| names.sum { |name| row[name].to_f } }) }
  guess = Array.new(seen.size)
  by_seen.each_with_index { |place, rank| guess[place] = by_known[[rank, known.size - 1].min] }
  guess
end

def sa21(known, seen, names)
  by_known, by_seen = [known, seen].map { |rows| ranked(rows.map { |row| row[names[0]].to_f }) }
  guess = Array.new(seen.size)
  by_seen.each_with_index { |place, rank| guess[place] = by_known[rank * (known.size - 1) / [seen.size - 1, 1].max] }
  guess
end

# The original rows that agree with each published row in all columns but the amounts; all of them if none does.
def alike(known, seen, names)
  quasi = seen[0].keys - names
  same = known.each_index.group_by { |place| known[place].values_at(*quasi) }
  seen.map { |row| same[row.values_at(*quasi)] || known.each_index.to_a }
end

def id_rand(known, seen, names)
  rng = Random.new(1)
  alike(known, seen, names).map { |candidates| candidates.sample(random: rng) }
end

def id_sa(known, seen, names)
  seen.zip(alike(known, seen, names)).map do |row, candidates|
    candidates.min_by { |place| [(known[place][names[0]].to_f - row[names[0]].to_f).abs, place] }
  end
end

def attack(original, published, amounts, out)
  FileUtils.mkdir_p(out)
  %w[sort id_rand sa21 id_sa].each do |name|
    guess = send(name, read(original), read(published), amounts.split(","))
    File.write(File.join(out, "guess-#{name}.csv"), guess.map { |row| "#{row + 1}\n" }.join)
  end
end

def mean(values)
  values.sum.to_f / values.size
end

def amounts(rows, name)
  rows.map { |row| row[name].to_f }
end

# U2: how far the mean of each amount in each group has moved; a group that is lost counts as 0.
def cross_mean(before, after, quasi, names)
  mean(quasi.product(names).map do |key, name|
    new = after.group_by { |row| row[key] }
    mean(before.group_by { |row| row[key] }.map do |group, rows|
      (mean(amounts(rows, name)) - (new[group] ? mean(amounts(new[group], name)) : 0)).abs
    end)
  end)
end

# U3: how far the size of each group has moved.
def cross_count(before, after, quasi)
  mean(quasi.map do |key|
    new = after.map { |row| row[key] }.tally
    mean(before.map { |row| row[key] }.tally.map { |group, size| (size - new.fetch(group, 0)).abs })
  end)
end

def correlation(rows, one, other)
  left, right = [one, other].map { |name| amounts(rows, name).then { |values| values.map { |value| value - mean(values) } } }
  spread = Math.sqrt(left.sum { |value| value * value } * right.sum { |value| value * value })
  return one == other ? 1.0 : 0.0 if spread.zero?
  left.zip(right).sum { |a, b| a * b } / spread
end

# U4: how far the correlations of the amounts have moved.
def correlation_mae(before, after, names)
  mean(names.product(names).map { |pair| (correlation(before, *pair) - correlation(after, *pair)).abs })
end

# U5: how far cells are from the original ones; amounts relative to the range of their column.
def information_loss(before, after, truth, names)
  mean(before[0].keys.map do |name|
    pairs = truth.zip(after).map { |place, row| [before[place - 1][name], row[name]] }
    next mean(pairs.map { |a, b| a == b ? 0 : 1 }) unless names.include?(name)
    low, high = amounts(before, name).minmax
    high == low ? 0 : mean(pairs.map { |a, b| (a.to_f - b.to_f).abs / (high - low) })
  end)
end

def score(original, published, secret, guess, listed)
  before, after, names = read(original), read(published), listed.split(",")
  quasi = after[0].keys - names
  mae = mean(names.map { |name| (mean(amounts(before, name)) - mean(amounts(after, name))).abs })
  truth, answer = numbers(secret), numbers(guess)
  found = truth.zip(answer).count { |one, other| one == other }.to_f / truth.size
  sizes = after.map { |row| row.values_at(*quasi) }.tally.values
  puts JSON.generate({
    mean_mae: mae, cross_mean: cross_mean(before, after, quasi, names), cross_count: cross_count(before, after, quasi),
    correlation_mae: correlation_mae(before, after, names),
    information_loss: information_loss(before, after, truth, names), rows_lost: (before.size - after.size).abs, "k_anonymity(copies=false)": sizes.min,
    k_anonymity_mean: after.size.to_f / sizes.size, re_identification: found,
  })
end

send(ARGV[0], *ARGV[1..])
