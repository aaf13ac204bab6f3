# A sample anonymizer, a sample attack and a scorer for contests of microdata. Needs nothing but R.
read <- function(path) read.csv(path, check.names = FALSE, fileEncoding = "UTF-8-BOM", colClasses = "character")
amounts_of <- function(table, names) data.matrix(as.data.frame(lapply(table[names], as.numeric)))
write_lines <- function(values, path) writeLines(format(values, scientific = FALSE, trim = TRUE), path)

anonymize <- function(original, amounts, out, seed) {
  set.seed(as.integer(seed))
  table <- read(original)
  names <- strsplit(amounts, ",")[[1]]
  order <- sample(nrow(table))
  published <- table[order, , drop = FALSE]
  for (name in names) {
    noisy <- round(as.numeric(published[[name]]) * runif(nrow(published), 0.8, 1.2))
    published[[name]] <- format(noisy, scientific = FALSE, trim = TRUE)
  }
  dir.create(out, recursive = TRUE, showWarnings = FALSE)
  write.csv(published, file.path(out, "published.csv"), row.names = FALSE, quote = FALSE)
  write_lines(order, file.path(out, "secret.csv"))
}

attack <- function(original, published, amounts, out) {
  names <- strsplit(amounts, ",")[[1]]
  known <- order(rowSums(amounts_of(read(original), names)))
  seen <- order(rowSums(amounts_of(read(published), names)))
  guess <- integer(length(seen))
  guess[seen] <- known[pmin(seq_along(seen), length(known))]
  dir.create(out, recursive = TRUE, showWarnings = FALSE)
  write_lines(guess, file.path(out, "guess-sort.csv"))
}

score <- function(original, published, secret, guess, amounts) {
  names <- strsplit(amounts, ",")[[1]]
  before <- colMeans(amounts_of(read(original), names))
  after <- colMeans(amounts_of(read(published), names))
  truth <- as.integer(readLines(secret))
  answer <- as.integer(readLines(guess))
  cat(sprintf('{"mean_mae": %.15g, "re_identification": %.15g}\n', mean(abs(before - after)), mean(truth == answer)))
}

given <- commandArgs(trailingOnly = TRUE)
do.call(given[1], as.list(given[-1]))
