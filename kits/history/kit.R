# Samples for contests of histories, as in 2016: see kit.py. Needs nothing but R.
read <- function(path) read.csv(path, check.names = FALSE, colClasses = "character", fileEncoding = "UTF-8-BOM")
write_rows <- function(table, path) {
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  write.csv(table, path, quote = FALSE, row.names = FALSE)
}
month <- function(table) substr(table$date, 1, 7)

anonymize <- function(folder, out, seed) {
  set.seed(as.integer(seed))
  table <- read(file.path(folder, "original.csv"))
  customers <- sort(unique(table$user))
  names <- setNames(paste0("p", sample(10 * length(customers), length(customers))), customers)
  order <- sample(nrow(table))
  made <- table[order, ]
  made$user <- names[made$user]
  made$price <- sprintf("%.2f", pmax(as.numeric(made$price) * runif(nrow(made), 0.9, 1.1), 0.01))
  write_rows(made, file.path(out, "published.csv"))
  there <- table(table$user, month(table))[customers, ] > 0
  secret <- data.frame(user = customers, ifelse(there, names[customers], "DEL"), check.names = FALSE)
  write_rows(secret, file.path(out, "secret.csv"))
  writeLines(as.character(order), file.path(out, "secret-rows.csv"))
}

attack <- function(folder, out) {
  original <- read(file.path(folder, "original.csv"))
  published <- read(file.path(folder, "published.csv"))
  items <- function(table) tapply(table$item, table$user, unique, simplify = FALSE)
  known <- items(original)
  shown <- items(published)
  likeness <- function(left, right) length(intersect(left, right)) / length(union(left, right))
  owners <- sapply(shown, function(left) names(known)[which.max(sapply(known, likeness, right = left))])
  months <- sort(unique(month(original)))
  there <- table(published$user, factor(month(published), months)) > 0
  guess <- matrix("DEL", length(known), length(months), dimnames = list(names(known), months))
  for (pseudonym in names(owners)) guess[owners[pseudonym], there[pseudonym, ]] <- pseudonym
  write_rows(data.frame(user = names(known), guess, check.names = FALSE), file.path(out, "guess-jaccard.csv"))
  write_rows(data.frame(pseudonym = names(owners), user = owners), file.path(out, "owners-jaccard.csv"))
}

top <- function(table) {
  sales <- tapply(as.numeric(table$price) * as.numeric(table$quantity), table$item, sum)
  names(sales)[order(-sales, names(sales))][seq_len(min(100, length(sales)))]
}

score <- function(folder, guess) {
  original <- read(file.path(folder, "original.csv"))
  published <- read(file.path(folder, "published.csv"))
  rows <- as.integer(readLines(file.path(folder, "secret-rows.csv")))
  first <- !duplicated(published$user)
  truth <- setNames(original$user[rows[first]], published$user[first])
  answers <- read(guess)
  before <- top(original)
  cat(sprintf('{"top_items": %.15g, "re_identification": %.15g}\n',
              length(setdiff(before, top(published))) / length(before),
              sum(truth[answers$pseudonym] == answers$user, na.rm = TRUE) / length(truth)))
}

given <- commandArgs(trailingOnly = TRUE)
do.call(given[1], as.list(given[-1]))
