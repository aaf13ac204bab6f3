# Samples for contests of tables, as in 2015: see kit.py. Needs nothing but R.
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

classes <- function(table, names) do.call(paste, c(table[setdiff(names(table), names)], sep = "\r"))

attack <- function(original, published, amounts, out) {
  names <- strsplit(amounts, ",")[[1]]
  known <- read(original)
  seen <- read(published)
  dir.create(out, recursive = TRUE, showWarnings = FALSE)
  n <- nrow(known)
  m <- nrow(seen)
  by_known <- order(rowSums(amounts_of(known, names)))
  guess <- integer(m)
  guess[order(rowSums(amounts_of(seen, names)))] <- by_known[pmin(seq_len(m), n)]
  write_lines(guess, file.path(out, "guess-sort.csv"))
  first <- as.numeric(known[[names[1]]])
  wanted <- as.numeric(seen[[names[1]]])
  guess[order(wanted)] <- order(first)[(seq_len(m) - 1) * (n - 1) %/% max(m - 1, 1) + 1]
  write_lines(guess, file.path(out, "guess-sa21.csv"))
  same <- split(seq_len(n), classes(known[names(seen)], names))
  alike <- lapply(classes(seen, names), function(class) if (is.null(same[[class]])) seq_len(n) else same[[class]])
  set.seed(1)
  guess <- sapply(alike, function(rows) rows[sample.int(length(rows), 1)])
  write_lines(guess, file.path(out, "guess-id_rand.csv"))
  guess <- mapply(function(rows, amount) rows[which.min(abs(first[rows] - amount))], alike, wanted)
  write_lines(guess, file.path(out, "guess-id_sa.csv"))
}

# U2: how far the mean of each amount in each group has moved; a group that is lost counts as 0.
cross_mean <- function(before, after, quasi, names) {
  mean(sapply(quasi, function(key) sapply(names, function(name) {
    old <- tapply(as.numeric(before[[name]]), before[[key]], mean)
    new <- tapply(as.numeric(after[[name]]), after[[key]], mean)[names(old)]
    mean(abs(old - ifelse(is.na(new), 0, new)))
  })))
}

# U3: how far the size of each group has moved.
cross_count <- function(before, after, quasi) {
  mean(sapply(quasi, function(key) {
    old <- table(before[[key]])
    new <- table(after[[key]])[names(old)]
    mean(abs(old - ifelse(is.na(new), 0, new)))
  }))
}

# U4: how far the correlations of the amounts have moved.
correlations <- function(table, names) {
  found <- suppressWarnings(cor(amounts_of(table, names)))
  found[is.na(found)] <- 0
  diag(found) <- 1
  found
}

# U5: how far cells are from the original ones; amounts relative to the range of their column.
information_loss <- function(before, after, truth, names) {
  mean(sapply(names(before), function(name) {
    old <- before[[name]][truth]
    new <- after[[name]]
    if (!(name %in% names)) return(mean(old != new))
    span <- diff(range(as.numeric(before[[name]])))
    if (span == 0) 0 else mean(abs(as.numeric(old) - as.numeric(new))) / span
  }))
}

score <- function(original, published, secret, guess, amounts) {
  names <- strsplit(amounts, ",")[[1]]
  before <- read(original)
  after <- read(published)
  moved <- mean(abs(colMeans(amounts_of(before, names)) - colMeans(amounts_of(after, names))))
  sizes <- table(classes(after, names))
  truth <- as.integer(readLines(secret))
  answer <- as.integer(readLines(guess))
  quasi <- setdiff(names(after), names)
  text <- '{"mean_mae": %.15g, "cross_mean": %.15g, "cross_count": %.15g, "correlation_mae": %.15g, "information_loss": %.15g, "rows_lost": %d, "k_anonymity(copies=false)": %d, "k_anonymity_mean": %.15g, "re_identification": %.15g}\n'
  lost <- abs(nrow(before) - nrow(after))
  u2 <- cross_mean(before, after, quasi, names)
  u3 <- cross_count(before, after, quasi)
  u4 <- mean(abs(correlations(before, names) - correlations(after, names)))
  u5 <- information_loss(before, after, truth, names)
  cat(sprintf(text, moved, u2, u3, u4, u5, lost, min(sizes), nrow(after) / length(sizes), mean(truth == answer)))
}

given <- commandArgs(trailingOnly = TRUE)
do.call(given[1], as.list(given[-1]))
