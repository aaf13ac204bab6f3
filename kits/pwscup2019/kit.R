# Samples for contests with the files of 2019: see kit.py. Needs nothing but R.
SIDE <- 32
DAY <- 20
MORNING <- 2
REACH <- 2
FLOOR <- 1e-8
MIDDLE <- SIDE * SIDE / 2 + SIDE / 2
HEIGHT <- 0.1 / 32 * 111 # kilometres of a region
WIDTH <- 0.12 / 32 * 91
HOSPITALS <- c(2, 43, 50, 147, 150, 152, 174, 183, 186, 205, 237, 296, 303, 326, 331, 344, 358, 420, 434, 449, 471, 491, 497,
               507, 522, 535, 550, 561, 628, 631, 708, 771, 782, 821, 871, 883, 995)

table_of <- function(path) read.csv(path, colClasses = "character", fileEncoding = "UTF-8-BOM")
read <- function(folder, stem) table_of(sort(Sys.glob(file.path(folder, paste0(stem, "*.csv"))))[1])
write_rows <- function(table, path) {
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  write.csv(table, path, quote = FALSE, row.names = FALSE)
}

# Those of the contest, or what schema.toml says of another map.
hospitals <- function(folder) {
  file <- file.path(folder, "schema.toml")
  lines <- if (file.exists(file)) grep("^sensitive = \\[.+\\]", readLines(file), value = TRUE) else character()
  if (length(lines)) as.numeric(strsplit(gsub("^.*\\[|\\].*$", "", lines[1]), ",")[[1]]) else HOSPITALS
}

# Kilometres between the centres of two regions.
distance <- function(one, other) {
  rows <- (one - 1) %/% SIDE - (other - 1) %/% SIDE
  columns <- (one - 1) %% SIDE - (other - 1) %% SIDE
  sqrt((rows * HEIGHT)^2 + (columns * WIDTH)^2)
}

METHODS <- list(
  krr = function(true) {
    keep <- exp(8) / (exp(8) + SIDE * SIDE - 1)
    other <- sample(SIDE * SIDE - 1, length(true), replace = TRUE)
    ifelse(runif(length(true)) < keep, true, other + (other >= true))
  },
  mrlh = function(true) {
    south_west <- (true - 1) %/% SIDE %/% 2 * 2 * SIDE + (true - 1) %% SIDE %/% 2 * 2 + 1
    ifelse(runif(length(true)) < 0.1, "*", paste(south_west, south_west + 1, south_west + SIDE, south_west + SIDE + 1))
  },
  pl = function(true) {
    far <- rgamma(length(true), 2, 4)
    angle <- runif(length(true), 0, 2 * pi)
    rows <- round((true - 1) %/% SIDE + far * sin(angle) / HEIGHT)
    columns <- round((true - 1) %% SIDE + far * cos(angle) / WIDTH)
    pmin(pmax(rows, 0), SIDE - 1) * SIDE + pmin(pmax(columns, 0), SIDE - 1) + 1
  }
)

anonymize <- function(folder, out, seed, method = "krr") {
  set.seed(as.integer(seed))
  table <- read(folder, "orgtraces")
  true <- as.integer(table$reg_id)
  users <- unique(table$user_id)
  if (method == "ya") {
    cells <- unlist(split(true, factor(table$user_id, users))[sample(length(users))])
  } else {
    cells <- METHODS[[method]](true)
  }
  users <- sample(users)
  write_rows(data.frame(reg_id = cells), file.path(out, "anotraces.csv"))
  write_rows(data.frame(pse_id = length(users) + seq_along(users), user_id = users), file.path(out, "ptable.csv"))
}

attack <- function(folder, out) {
  guess_by(folder, out, "home", MORNING)
  guess_by(folder, out, "visit", DAY)
}

# Guess by the first times of each day.
guess_by <- function(folder, out, name, slots) {
  reference <- read(folder, "reftraces")
  published <- read(folder, "pubtraces")
  early <- function(table) table[(as.integer(table$time_id) - 1) %% DAY < slots, ]
  first <- function(cells) sub(" .*", "", cells)
  users <- unique(reference$user_id)
  pseudonyms <- unique(published$pse_id)
  habits <- split(early(reference)$reg_id, factor(early(reference)$user_id, users))
  seen <- split(early(published)$reg_id, factor(early(published)$pse_id, pseudonyms))
  likelihood <- function(cells) {
    cells <- first(cells[cells != "*"])
    sapply(habits, function(known) sum(log(pmax(sapply(cells, function(cell) mean(known == cell)), FLOOR))))
  }
  scores <- sapply(seen, likelihood)
  guess <- users[apply(scores, 2, which.max)]
  # Traces need one pseudonym for each user: the likeliest user who is left.
  of <- integer(length(users))
  for (place in seq_along(pseudonyms)) {
    best <- which.max(ifelse(of == 0, scores[, place], -Inf))
    of[best] <- place
  }
  write_rows(data.frame(user_id = guess), file.path(out, sprintf("etable_%s.csv", name)))
  # Places as they were published; where nothing was, the middle of the map.
  cells <- ifelse(published$reg_id == "*", MIDDLE, first(published$reg_id))
  places <- split(cells, factor(published$pse_id, pseudonyms))
  write_rows(data.frame(reg_id = unlist(places[of])), file.path(out, sprintf("etraces_%s.csv", name)))
}

score <- function(folder, etable, etraces) {
  original <- as.integer(read(folder, "orgtraces")$reg_id)
  owners <- read(folder, "ptable")$user_id
  worth <- mapply(function(true, cell) {
    if (cell == "*") return(0)
    mean(pmax(1 - distance(true, as.integer(strsplit(cell, " ")[[1]])) / REACH, 0))
  }, original, read(folder, "anotraces")$reg_id)
  weights <- ifelse(original %in% hospitals(folder), 10, 1)
  far <- pmin(distance(original, as.integer(table_of(etraces)$reg_id)) / REACH, 1)
  cat(sprintf('{"closeness": %.15g, "id_safety": %.15g, "trace_safety": %.15g}\n',
              mean(worth), 1 - mean(owners == table_of(etable)$user_id), sum(weights * far) / sum(weights)))
}

given <- commandArgs(trailingOnly = TRUE)
do.call(given[1], as.list(given[-1]))
