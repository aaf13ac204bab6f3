# Samples for contests with the files of 2019: see kit.py. Needs nothing but Ruby.
require "csv"
require "fileutils"
require "json"
require "set"

SIDE, DAY, MORNING, REACH, FLOOR = 32, 20, 2, 2.0, 1e-8
MIDDLE = SIDE * SIDE / 2 + SIDE / 2
HEIGHT, WIDTH = 0.1 / 32 * 111, 0.12 / 32 * 91 # kilometres of a region
HOSPITALS = [2, 43, 50, 147, 150, 152, 174, 183, 186, 205, 237, 296, 303, 326, 331, 344, 358, 420, 434, 449, 471, 491, 497,
             507, 522, 535, 550, 561, 628, 631, 708, 771, 782, 821, 871, 883, 995].freeze

def table(path)
  CSV.read(path, headers: true, encoding: "bom|utf-8").map(&:to_h)
end

def read(folder, stem)
  table(Dir.glob(File.join(folder, "#{stem}*.csv")).min)
end

def write(path, header, rows)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, [header, *rows].map { |line| line.join(",") + "\n" }.join)
end

# Those of the contest, or what schema.toml says of another map.
def hospitals(folder)
  file = File.join(folder, "schema.toml")
  found = File.exist?(file) ? File.read(file)[/sensitive = \[(.+?)\]/, 1] : nil
  (found ? found.split(",").map(&:to_i) : HOSPITALS).to_set
end

# Kilometres between the centres of two regions.
def distance(one, other)
  (row, column), (row2, column2) = (one - 1).divmod(SIDE), (other - 1).divmod(SIDE)
  Math.hypot((row - row2) * HEIGHT, (column - column2) * WIDTH)
end

def krr(region, rng)
  other, keep = rng.rand(1...SIDE * SIDE), Math.exp(8) / (Math.exp(8) + SIDE * SIDE - 1)
  rng.rand < keep ? region : other + (other >= region ? 1 : 0)
end

def mrlh(region, rng)
  row, column = (region - 1).divmod(SIDE)
  south_west = row / 2 * 2 * SIDE + column / 2 * 2 + 1
  rng.rand < 0.1 ? "*" : [0, 1, SIDE, SIDE + 1].map { |step| south_west + step }.join(" ")
end

def pl(region, rng)
  row, column = (region - 1).divmod(SIDE)
  far, angle = -Math.log((1 - rng.rand) * (1 - rng.rand)) / 4, rng.rand(0.0..2 * Math::PI)
  row, column = (row + far * Math.sin(angle) / HEIGHT).round, (column + far * Math.cos(angle) / WIDTH).round
  row.clamp(0, SIDE - 1) * SIDE + column.clamp(0, SIDE - 1) + 1
end

def anonymize(folder, out, seed, method = "krr")
  rng = Random.new(seed.to_i)
  traces = read(folder, "orgtraces").group_by { |row| row["user_id"] }.transform_values { |rows| rows.map { |row| row["reg_id"].to_i } }
  cells =
    if method == "ya"
      traces.values.shuffle(random: rng).flatten
    else
      traces.values.flatten.map { |region| send(method, region, rng) }
    end
  users = traces.keys.shuffle(random: rng)
  write(File.join(out, "anotraces.csv"), ["reg_id"], cells.map { |cell| [cell] })
  write(File.join(out, "ptable.csv"), %w[pse_id user_id], users.each_with_index.map { |u, i| [users.size + 1 + i, u] })
end

def attack(folder, out)
  guess_by(folder, out, "home", MORNING)
  guess_by(folder, out, "visit", DAY)
end

# Guess by the first times of each day.
def guess_by(folder, out, name, slots)
  early = ->(row) { (row["time_id"].to_i - 1) % DAY < slots }
  habits = read(folder, "reftraces").select(&early).group_by { |row| row["user_id"] }
  shares = habits.transform_values { |rows| rows.map { |row| row["reg_id"] }.tally.transform_values { |n| n.to_f / rows.size } }
  seen = read(folder, "pubtraces").group_by { |row| row["pse_id"] }
  left, of = shares.keys, {}
  guess = seen.map do |pseudonym, rows|
    cells = rows.select { |row| early.(row) && row["reg_id"] != "*" }.map { |row| row["reg_id"].split.first }
    likelihood = ->(user) { cells.sum { |cell| Math.log([shares[user].fetch(cell, 0), FLOOR].max) } }
    # Traces need one pseudonym for each user: the likeliest user who is left.
    of[left.max_by(&likelihood)] = pseudonym
    left.delete(left.max_by(&likelihood))
    [shares.keys.max_by(&likelihood)]
  end
  write(File.join(out, "etable_#{name}.csv"), ["user_id"], guess)
  # Places as they were published; where nothing was, the middle of the map.
  places = shares.keys.flat_map do |user|
    seen[of[user]].map { |row| [row["reg_id"] == "*" ? MIDDLE : row["reg_id"].split.first] }
  end
  write(File.join(out, "etraces_#{name}.csv"), ["reg_id"], places)
end

def score(folder, etable, etraces)
  original, owners = read(folder, "orgtraces"), read(folder, "ptable").map { |row| row["user_id"] }
  worth = original.zip(read(folder, "anotraces")).map do |row, cell|
    places = cell["reg_id"] == "*" ? [] : cell["reg_id"].split
    near = places.map { |place| [1 - distance(row["reg_id"].to_i, place.to_i) / REACH, 0].max }
    near.empty? ? 0 : near.sum / near.size
  end
  guess = table(etable).map { |row| row["user_id"] }
  right = owners.zip(guess).count { |one, other| one == other }
  special, far, weights = hospitals(folder), 0.0, 0
  original.zip(table(etraces)).each do |row, place|
    region = row["reg_id"].to_i
    weights += weight = special.include?(region) ? 10 : 1
    far += weight * [distance(region, place["reg_id"].to_i) / REACH, 1].min
  end
  puts JSON.generate({
    closeness: worth.sum.to_f / worth.size, id_safety: 1 - right.to_f / guess.size, trace_safety: far / weights,
  })
end

send(ARGV[0], *ARGV[1..])
