# Samples for contests of histories, as in 2016: see kit.py. Needs nothing but Ruby.
require "csv"
require "fileutils"
require "json"
require "set"

def read(path)
  CSV.read(path, headers: true, encoding: "bom|utf-8").map(&:to_h)
end

def write(path, header, rows)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, [header, *rows].map { |line| CSV.generate_line(line) }.join)
end

def months(rows)
  rows.map { |row| row["date"][0, 7] }.uniq.sort
end

def anonymize(folder, out, seed)
  rows, rng = read(File.join(folder, "original.csv")), Random.new(seed.to_i)
  customers = rows.map { |row| row["user"] }.uniq.sort
  names = customers.zip((1..10 * customers.size).to_a.sample(customers.size, random: rng)).to_h
  order = (0...rows.size).to_a.shuffle(random: rng)
  made = order.map do |place|
    price = format("%.2f", [rows[place]["price"].to_f * rng.rand(0.9..1.1), 0.01].max)
    rows[place].merge("user" => "p#{names[rows[place]["user"]]}", "price" => price).values
  end
  write(File.join(out, "published.csv"), rows[0].keys, made)
  there = rows.map { |row| [row["user"], row["date"][0, 7]] }.to_set
  table = customers.map { |c| [c, *months(rows).map { |month| there.include?([c, month]) ? "p#{names[c]}" : "DEL" }] }
  write(File.join(out, "secret.csv"), ["user", *months(rows)], table)
  File.write(File.join(out, "secret-rows.csv"), order.map { |place| "#{place + 1}\n" }.join)
end

def items(rows)
  rows.group_by { |row| row["user"] }.transform_values { |all| all.map { |row| row["item"] }.to_set }
end

def attack(folder, out)
  original, published = %w[original published].map { |name| read(File.join(folder, "#{name}.csv")) }
  known, shown = items(original), items(published)
  owners = shown.transform_values do |left|
    known.max_by { |_, right| (left & right).size.to_f / (left | right).size }.first
  end
  there = published.map { |row| [row["user"], row["date"][0, 7]] }.to_set
  table = known.keys.sort.to_h { |customer| [customer, months(original).to_h { |month| [month, "DEL"] }] }
  owners.each do |pseudonym, customer|
    months(original).each { |month| table[customer][month] = pseudonym if there.include?([pseudonym, month]) }
  end
  write(File.join(out, "guess-jaccard.csv"), ["user", *months(original)], table.map { |c, cells| [c, *cells.values] })
  write(File.join(out, "owners-jaccard.csv"), %w[pseudonym user], owners.sort)
end

def top(rows)
  sales = rows.each_with_object(Hash.new(0.0)) { |row, all| all[row["item"]] += row["price"].to_f * row["quantity"].to_f }
  sales.keys.sort_by { |item| [-sales[item], item] }.first(100)
end

def score(folder, guess)
  original, published = %w[original published].map { |name| read(File.join(folder, "#{name}.csv")) }
  rows = File.read(File.join(folder, "secret-rows.csv")).split.map(&:to_i)
  truth = published.zip(rows).to_h { |row, at| [row["user"], original[at - 1]["user"]] }
  before = top(original)
  found = read(guess).count { |row| truth[row["pseudonym"]] == row["user"] }
  puts JSON.generate({
    top_items: (before - top(published)).size.to_f / before.size, re_identification: found.to_f / truth.size,
  })
end

send(ARGV[0], *ARGV[1..])
