# Samples for contests with the files of 2018: see kit.py. Needs nothing but R.
COLUMNS <- c("user", "date", "item", "price", "quantity")

rows <- function(path) read.csv(path, header = FALSE, colClasses = "character", fileEncoding = "UTF-8-BOM")
read <- function(folder, stem) {
  names <- sort(list.files(folder))
  setNames(rows(file.path(folder, names[sub("[._].*", "", names) == stem][1])), COLUMNS)
}
write_rows <- function(table, path) {
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  write.table(table, path, sep = ",", quote = FALSE, row.names = FALSE, col.names = FALSE)
}

anonymize <- function(folder, out, seed) {
  set.seed(as.integer(seed))
  table <- read(folder, "T")
  customers <- unique(table$user)
  table$user <- paste0("p", sample(10 * length(customers), length(customers))[match(table$user, customers)])
  month <- sub("/\\d+$", "", table$date)
  begins <- as.Date(paste0(month, "/1"))
  last <- as.integer(format(as.Date(format(begins + 31, "%Y-%m-01")) - 1, "%d"))
  table$date <- sprintf("[%s/1;%s/%d]", month, month, last)
  write_rows(table, file.path(out, "A.csv"))
}

items <- function(table) {
  sets <- strsplit(gsub("[{}]", "", table$item), ";")
  tapply(sets, table$user, function(all) unique(unlist(all)), simplify = FALSE)
}

attack <- function(folder, out) {
  known <- items(read(folder, "T"))
  shown <- items(read(folder, "A1"))
  likeness <- function(left, right) length(intersect(left, right)) / length(union(left, right))
  guess <- sapply(shown, function(left) names(known)[which.max(sapply(known, likeness, right = left))])
  write_rows(cbind(names(shown), guess), file.path(out, "F1_jaccard.csv"))
}

number <- function(cells, column) {
  switch(column, date = as.numeric(as.Date(cells)), price = round(as.numeric(cells) * 100), as.numeric(cells))
}

losses <- function(column, before, after) {
  lost <- numeric(length(after))
  lost[after == "*"] <- 1
  sets <- startsWith(after, "{")
  lost[sets] <- 1 - 1 / lengths(strsplit(after[sets], ";"))
  spans <- startsWith(after, "[")
  if (any(spans)) {
    # One day, one cent or one piece is the unit.
    true <- number(before, column)
    spread <- sqrt(mean((true - mean(true))^2))
    ends <- strsplit(gsub("[][]", "", after[spans]), ";")
    low <- number(sapply(ends, `[`, 1), column)
    high <- number(sapply(ends, `[`, 2), column)
    x <- true[spans]
    lost[spans] <- ((low - x)^2 + (high - x)^2 + (high - low)) / (2 * (high - low + 1) * spread)
  }
  mean(lost)
}

score <- function(folder, guess) {
  table <- read(folder, "T")
  made <- read(folder, "A")
  loss <- mean(sapply(COLUMNS[-1], function(column) losses(column, table[[column]], made[[column]])))
  first <- !duplicated(made$user)
  owners <- setNames(table$user[first], made$user[first])
  answers <- rows(guess)
  right <- sum(owners[answers[[1]]] == answers[[2]], na.rm = TRUE)
  # r(n): the least r whose tail of (1/3)^i C(n, i) is below 0.01 / 20.
  n <- nrow(answers)
  tails <- rev(cumsum(rev(exp(lchoose(n, 0:n) - (0:n) * log(3)))))
  least <- min(c(which(tails < 0.01 / 20) - 1, n + 1))
  cat(sprintf('{"ut_il": %.15g, "identification_test": %.15g}\n', loss, right / least))
}

given <- commandArgs(trailingOnly = TRUE)
do.call(given[1], as.list(given[-1]))
