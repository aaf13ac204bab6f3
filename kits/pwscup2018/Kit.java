// Samples for contests with the files of 2018: see kit.py. Needs nothing but Java 17.
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Kit {
    static final int USER = 0, DATE = 1, ITEM = 2, PRICE = 3, QUANTITY = 4;

    static List<String[]> rows(Path path) throws IOException {
        return Files.readAllLines(path).stream().map(line -> line.replace("\uFEFF", "")).filter(line -> !line.isBlank())
            .map(line -> line.split(",", -1)).toList();
    }

    static List<String[]> read(String folder, String stem) throws IOException {
        try (Stream<Path> paths = Files.list(Path.of(folder))) {
            return rows(paths.sorted().filter(path -> path.getFileName().toString().split("[._]")[0].equals(stem)).findFirst().get());
        }
    }

    static void write(Path path, List<String> lines) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    static LocalDate date(String cell) {
        int[] parts = Arrays.stream(cell.split("/")).mapToInt(Integer::parseInt).toArray();
        return LocalDate.of(parts[0], parts[1], parts[2]);
    }

    static void anonymize(String folder, String out, String seed) throws IOException {
        List<String[]> table = read(folder, "T");
        List<String> customers = table.stream().map(row -> row[USER]).distinct().toList();
        List<Integer> numbers = new ArrayList<>(IntStream.range(1, 10 * customers.size()).boxed().toList());
        Collections.shuffle(numbers, new Random(Long.parseLong(seed)));
        List<String> lines = new ArrayList<>();
        for (String[] row : table) {
            String[] made = row.clone();
            LocalDate day = date(row[DATE]);
            String month = day.getYear() + "/" + day.getMonthValue();
            made[USER] = "p" + numbers.get(customers.indexOf(row[USER]));
            made[DATE] = "[" + month + "/1;" + month + "/" + day.lengthOfMonth() + "]";
            lines.add(String.join(",", made));
        }
        write(Path.of(out, "A.csv"), lines);
    }

    static Map<String, Set<String>> items(List<String[]> table) {
        Map<String, Set<String>> found = new LinkedHashMap<>();
        for (String[] row : table) {
            found.computeIfAbsent(row[USER], name -> new HashSet<>()).addAll(List.of(row[ITEM].replaceAll("[{}]", "").split(";")));
        }
        return found;
    }

    static double likeness(Set<String> left, Set<String> right) {
        double both = left.stream().filter(right::contains).count();
        return both / (left.size() + right.size() - both);
    }

    static void attack(String folder, String out) throws IOException {
        var known = items(read(folder, "T"));
        List<String> lines = new ArrayList<>();
        items(read(folder, "A1")).forEach((pseudonym, left) -> {
            Comparator<String> like = Comparator.comparingDouble(customer -> likeness(left, known.get(customer)));
            lines.add(pseudonym + "," + known.keySet().stream().max(like).get());
        });
        write(Path.of(out, "F1_jaccard.csv"), lines);
    }

    static double number(String cell, int column) {
        return column == DATE ? date(cell).toEpochDay() : column == PRICE ? Math.round(Double.parseDouble(cell) * 100) : Double.parseDouble(cell);
    }

    static double loss(String cell, int column, double x, double spread) {
        if (cell.equals("*")) {
            return 1;
        }
        if (cell.startsWith("{")) {
            return 1 - 1.0 / cell.split(";").length;
        }
        if (!cell.startsWith("[")) {
            return 0;
        }
        // One day, one cent or one piece is the unit.
        String[] ends = cell.substring(1, cell.length() - 1).split(";");
        double low = number(ends[0], column), high = number(ends[1], column);
        return ((low - x) * (low - x) + (high - x) * (high - x) + (high - low)) / (2 * (high - low + 1) * spread);
    }

    /** r(n): the least r whose tail of (1/3)^i C(n, i) is below 0.01 / 20. */
    static int least(int n) {
        BigInteger tail = BigInteger.ZERO, term = BigInteger.ONE, bound = BigInteger.valueOf(3).pow(n);
        int r = n + 1;
        // Everything is multiplied by 3^n; the term of i = n is 1, and the one before it is 3 i / (n - i + 1) times as large.
        while (r > 0 && tail.add(term).multiply(BigInteger.valueOf(2000)).compareTo(bound) < 0) {
            tail = tail.add(term);
            r--;
            term = term.multiply(BigInteger.valueOf(3L * r)).divide(BigInteger.valueOf(n - r + 1));
        }
        return r;
    }

    static void score(String folder, String guess) throws IOException {
        List<String[]> table = read(folder, "T"), made = read(folder, "A");
        double total = 0;
        for (int column : new int[] {DATE, ITEM, PRICE, QUANTITY}) {
            double[] x = table.stream().mapToDouble(row -> column == ITEM ? 0 : number(row[column], column)).toArray();
            double mean = Arrays.stream(x).average().orElse(0);
            double spread = Math.sqrt(Arrays.stream(x).map(each -> (each - mean) * (each - mean)).average().orElse(0));
            double scale = spread == 0 ? 1 : spread;
            total += IntStream.range(0, x.length).mapToDouble(at -> loss(made.get(at)[column], column, x[at], scale)).average().orElse(0);
        }
        Map<String, String> owners = new HashMap<>();
        for (int at = 0; at < made.size(); at++) {
            owners.putIfAbsent(made.get(at)[USER], table.get(at)[USER]);
        }
        List<String[]> answers = rows(Path.of(guess));
        double right = answers.stream().filter(answer -> answer[1].equals(owners.get(answer[0]))).count();
        System.out.printf(Locale.ROOT, "{\"ut_il\": %.15g, \"identification_test\": %.15g}%n", total / 4, right / least(answers.size()));
    }

    public static void main(String[] given) throws IOException {
        switch (given[0]) {
            case "anonymize" -> anonymize(given[1], given[2], given[3]);
            case "attack" -> attack(given[1], given[2]);
            default -> score(given[1], given[2]);
        }
    }
}
