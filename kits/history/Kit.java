// Samples for contests of histories, as in 2016: see kit.py. Needs nothing but Java 17.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Kit {
    record Table(List<String> header, List<String[]> rows) {
        static Table read(Path path) throws IOException {
            List<String> lines = Files.readAllLines(path);
            List<String[]> rows = lines.stream().skip(1).filter(line -> !line.isBlank()).map(line -> line.split(",", -1)).toList();
            return new Table(List.of(lines.get(0).replace("\uFEFF", "").split(",")), rows);
        }

        String cell(int row, String name) {
            return rows.get(row)[header.indexOf(name)];
        }

        List<String> column(String name) {
            return rows.stream().map(row -> row[header.indexOf(name)]).toList();
        }

        List<String> months() {
            return column("date").stream().map(date -> date.substring(0, 7)).toList();
        }

        Map<String, Set<String>> items() {
            Map<String, Set<String>> found = new TreeMap<>();
            IntStream.range(0, rows.size()).forEach(row -> found.computeIfAbsent(cell(row, "user"), name -> new HashSet<>()).add(cell(row, "item")));
            return found;
        }

        /** Who has records in which month. */
        Set<String> there() {
            List<String> months = months();
            return IntStream.range(0, rows.size()).mapToObj(row -> cell(row, "user") + " " + months.get(row)).collect(Collectors.toSet());
        }

        List<String> top() {
            Map<String, Double> sales = new HashMap<>();
            for (int row = 0; row < rows.size(); row++) {
                sales.merge(cell(row, "item"), Double.parseDouble(cell(row, "price")) * Double.parseDouble(cell(row, "quantity")), Double::sum);
            }
            Comparator<String> order = Comparator.comparingDouble(item -> -sales.get(item));
            return sales.keySet().stream().sorted(order.thenComparing(item -> item)).limit(100).toList();
        }
    }

    static void write(String folder, String name, Stream<String> lines) throws IOException {
        Files.createDirectories(Path.of(folder));
        Files.writeString(Path.of(folder, name), lines.map(line -> line + "\n").collect(Collectors.joining()));
    }

    static void anonymize(String folder, String out, String seed) throws IOException {
        Table table = Table.read(Path.of(folder, "original.csv"));
        Random random = new Random(Long.parseLong(seed));
        List<String> customers = List.copyOf(table.items().keySet()), months = table.months().stream().distinct().sorted().toList();
        List<Integer> numbers = new ArrayList<>(IntStream.range(1, 10 * customers.size()).boxed().toList());
        Collections.shuffle(numbers, random);
        Map<String, String> names = new HashMap<>();
        customers.forEach(customer -> names.put(customer, "p" + numbers.get(names.size())));
        List<Integer> order = new ArrayList<>(IntStream.range(0, table.rows().size()).boxed().toList());
        Collections.shuffle(order, random);
        List<String> lines = new ArrayList<>(List.of(String.join(",", table.header())));
        for (int row : order) {
            String[] made = table.rows().get(row).clone();
            double price = Double.parseDouble(table.cell(row, "price")) * (0.9 + 0.2 * random.nextDouble());
            made[table.header().indexOf("user")] = names.get(table.cell(row, "user"));
            made[table.header().indexOf("price")] = String.format(Locale.ROOT, "%.2f", Math.max(price, 0.01));
            lines.add(String.join(",", made));
        }
        write(out, "published.csv", lines.stream());
        Set<String> there = table.there();
        Stream<String> secret = customers.stream().map(customer -> customer + "," + months.stream()
            .map(month -> there.contains(customer + " " + month) ? names.get(customer) : "DEL").collect(Collectors.joining(",")));
        write(out, "secret.csv", Stream.concat(Stream.of("user," + String.join(",", months)), secret));
        write(out, "secret-rows.csv", order.stream().map(row -> String.valueOf(row + 1)));
    }

    static double likeness(Set<String> left, Set<String> right) {
        double both = left.stream().filter(right::contains).count();
        return both / (left.size() + right.size() - both);
    }

    static void attack(String folder, String out) throws IOException {
        Table original = Table.read(Path.of(folder, "original.csv")), published = Table.read(Path.of(folder, "published.csv"));
        Map<String, Set<String>> known = original.items();
        Map<String, String> owners = new TreeMap<>();
        published.items().forEach((pseudonym, left) -> {
            Comparator<String> like = Comparator.comparingDouble(customer -> likeness(left, known.get(customer)));
            owners.put(pseudonym, known.keySet().stream().max(like).get());
        });
        List<String> months = original.months().stream().distinct().sorted().toList();
        Set<String> there = published.there();
        Stream<String> table = known.keySet().stream().map(customer -> customer + "," + months.stream().map(month -> owners.keySet().stream()
            .filter(pseudonym -> owners.get(pseudonym).equals(customer) && there.contains(pseudonym + " " + month)).reduce((one, last) -> last)
            .orElse("DEL")).collect(Collectors.joining(",")));
        write(out, "guess-jaccard.csv", Stream.concat(Stream.of("user," + String.join(",", months)), table));
        Stream<String> pairs = owners.entrySet().stream().map(pair -> pair.getKey() + "," + pair.getValue());
        write(out, "owners-jaccard.csv", Stream.concat(Stream.of("pseudonym,user"), pairs));
    }

    static void score(String folder, String guess) throws IOException {
        Table original = Table.read(Path.of(folder, "original.csv")), published = Table.read(Path.of(folder, "published.csv"));
        List<String> rows = Files.readAllLines(Path.of(folder, "secret-rows.csv"));
        Map<String, String> truth = new HashMap<>();
        for (int at = 0; at < rows.size(); at++) {
            truth.put(published.cell(at, "user"), original.cell(Integer.parseInt(rows.get(at).trim()) - 1, "user"));
        }
        List<String> before = original.top(), after = published.top();
        double lost = before.stream().filter(item -> !after.contains(item)).count();
        double found = Table.read(Path.of(guess)).rows().stream().filter(row -> row[1].equals(truth.get(row[0]))).count();
        System.out.printf(Locale.ROOT, "{\"top_items\": %.15g, \"re_identification\": %.15g}%n", lost / before.size(), found / truth.size());
    }

    public static void main(String[] given) throws IOException {
        switch (given[0]) {
            case "anonymize" -> anonymize(given[1], given[2], given[3]);
            case "attack" -> attack(given[1], given[2]);
            default -> score(given[1], given[2]);
        }
    }
}
