// Samples for contests with the files of 2019: see kit.py. Needs nothing but Java 17.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Kit {
    static final int SIDE = 32, DAY = 20, MORNING = 2, MIDDLE = SIDE * SIDE / 2 + SIDE / 2;
    static final double REACH = 2, FLOOR = 1e-8, HEIGHT = 0.1 / 32 * 111, WIDTH = 0.12 / 32 * 91; // kilometres of a region
    static final String HOSPITALS = "2,43,50,147,150,152,174,183,186,205,237,296,303,326,331,344,358,420,434,449,471,491,497,"
        + "507,522,535,550,561,628,631,708,771,782,821,871,883,995";

    /** The rows of a file with a header. */
    static List<String[]> rows(Path path) throws IOException {
        return Files.readAllLines(path).stream().skip(1).filter(line -> !line.isBlank()).map(line -> line.split(",", -1)).toList();
    }

    static List<String[]> read(String folder, String stem) throws IOException {
        try (Stream<Path> paths = Files.list(Path.of(folder))) {
            return rows(paths.sorted().filter(path -> path.getFileName().toString().startsWith(stem)).findFirst().get());
        }
    }

    static void write(String folder, String name, String header, List<String> lines) throws IOException {
        Files.createDirectories(Path.of(folder));
        Files.writeString(Path.of(folder, name), Stream.concat(Stream.of(header), lines.stream()).collect(Collectors.joining("\n", "", "\n")));
    }

    /** Those of the contest, or what schema.toml says of another map. */
    static Set<Integer> hospitals(String folder) throws IOException {
        Path file = Path.of(folder, "schema.toml");
        var found = Pattern.compile("sensitive = \\[(.+?)\\]").matcher(Files.exists(file) ? Files.readString(file) : "");
        return Arrays.stream((found.find() ? found.group(1) : HOSPITALS).split(",")).map(text -> Integer.parseInt(text.trim())).collect(Collectors.toSet());
    }

    /** Kilometres between the centres of two regions. */
    static double distance(int one, int other) {
        int rows = (one - 1) / SIDE - (other - 1) / SIDE, columns = (one - 1) % SIDE - (other - 1) % SIDE;
        return Math.hypot(rows * HEIGHT, columns * WIDTH);
    }

    static String krr(int region, Random random) {
        double keep = Math.exp(8) / (Math.exp(8) + SIDE * SIDE - 1);
        int other = 1 + random.nextInt(SIDE * SIDE - 1);
        return String.valueOf(random.nextDouble() < keep ? region : other >= region ? other + 1 : other);
    }

    static String mrlh(int region, Random random) {
        int southWest = (region - 1) / SIDE / 2 * 2 * SIDE + (region - 1) % SIDE / 2 * 2 + 1;
        return random.nextDouble() < 0.1 ? "*" : southWest + " " + (southWest + 1) + " " + (southWest + SIDE) + " " + (southWest + SIDE + 1);
    }

    static String pl(int region, Random random) {
        double far = -Math.log((1 - random.nextDouble()) * (1 - random.nextDouble())) / 4, angle = 2 * Math.PI * random.nextDouble();
        long row = Math.round((region - 1) / SIDE + far * Math.sin(angle) / HEIGHT), column = Math.round((region - 1) % SIDE + far * Math.cos(angle) / WIDTH);
        return String.valueOf(Math.min(Math.max(row, 0), SIDE - 1) * SIDE + Math.min(Math.max(column, 0), SIDE - 1) + 1);
    }

    static void anonymize(String folder, String out, String seed, String method) throws IOException {
        Random random = new Random(Long.parseLong(seed));
        Map<String, List<String>> traces = new LinkedHashMap<>();
        for (String[] row : read(folder, "orgtraces")) {
            int region = Integer.parseInt(row[2]);
            traces.computeIfAbsent(row[0], user -> new ArrayList<>()).add(switch (method) {
                case "ya" -> row[2];
                case "mrlh" -> mrlh(region, random);
                case "pl" -> pl(region, random);
                default -> krr(region, random);
            });
        }
        List<String> users = new ArrayList<>(traces.keySet()), order = new ArrayList<>(users);
        if (method.equals("ya")) {
            Collections.shuffle(order, random);
        }
        List<String> cells = order.stream().flatMap(user -> traces.get(user).stream()).toList();
        Collections.shuffle(users, random);
        write(out, "anotraces.csv", "reg_id", cells);
        write(out, "ptable.csv", "pse_id,user_id", IntStream.range(0, users.size()).mapToObj(at -> users.size() + 1 + at + "," + users.get(at)).toList());
    }

    /** By person, the places at the first times of each day. */
    static Map<String, List<String>> early(List<String[]> table, int slots) {
        Map<String, List<String>> found = new LinkedHashMap<>();
        for (String[] row : table) {
            List<String> places = found.computeIfAbsent(row[0], name -> new ArrayList<>());
            if ((Integer.parseInt(row[1]) - 1) % DAY < slots && !row[2].equals("*")) {
                places.add(row[2].split(" ")[0]);
            }
        }
        return found;
    }

    static void attack(String folder, String out, String name, int slots) throws IOException {
        List<String[]> published = read(folder, "pubtraces");
        Map<String, List<String>> habits = early(read(folder, "reftraces"), slots);
        List<String> users = List.copyOf(habits.keySet()), guess = new ArrayList<>(), left = new ArrayList<>(users);
        Map<String, String> of = new HashMap<>();
        early(published, slots).forEach((pseudonym, places) -> {
            Map<String, Double> likely = new HashMap<>();
            for (String user : users) {
                List<String> known = habits.get(user);
                likely.put(user, places.stream().mapToDouble(place -> Math.log(Math.max((double) Collections.frequency(known, place) / known.size(), FLOOR))).sum());
            }
            guess.add(first(users, likely));
            // Traces need one pseudonym for each user: the likeliest user who is left.
            String best = first(left, likely);
            of.put(best, pseudonym);
            left.remove(best);
        });
        write(out, "etable_" + name + ".csv", "user_id", guess);
        // Places as they were published; where nothing was, the middle of the map.
        Map<String, List<String>> places = new HashMap<>();
        for (String[] row : published) {
            places.computeIfAbsent(row[0], pseudonym -> new ArrayList<>()).add(row[2].equals("*") ? String.valueOf(MIDDLE) : row[2].split(" ")[0]);
        }
        write(out, "etraces_" + name + ".csv", "reg_id", users.stream().flatMap(user -> places.get(of.get(user)).stream()).toList());
    }

    /** The first of the likeliest users. */
    static String first(List<String> users, Map<String, Double> likely) {
        double best = users.stream().mapToDouble(likely::get).max().getAsDouble();
        return users.stream().filter(user -> likely.get(user) == best).findFirst().get();
    }

    static void score(String folder, String etable, String etraces) throws IOException {
        List<String[]> original = read(folder, "orgtraces"), made = read(folder, "anotraces"), owners = read(folder, "ptable");
        List<String[]> users = rows(Path.of(etable)), places = rows(Path.of(etraces));
        Set<Integer> special = hospitals(folder);
        double worth = 0, far = 0, weights = 0;
        for (int at = 0; at < original.size(); at++) {
            int region = Integer.parseInt(original.get(at)[2]);
            String cell = made.get(at)[0];
            if (!cell.equals("*")) {
                worth += Arrays.stream(cell.split(" ")).mapToDouble(place -> Math.max(1 - distance(region, Integer.parseInt(place)) / REACH, 0)).average().getAsDouble();
            }
            double weight = special.contains(region) ? 10 : 1;
            weights += weight;
            far += weight * Math.min(distance(region, Integer.parseInt(places.get(at)[0])) / REACH, 1);
        }
        double right = IntStream.range(0, users.size()).filter(at -> users.get(at)[0].equals(owners.get(at)[1])).count();
        System.out.printf(Locale.ROOT, "{\"closeness\": %.15g, \"id_safety\": %.15g, \"trace_safety\": %.15g}%n",
            worth / original.size(), 1 - right / users.size(), far / weights);
    }

    public static void main(String[] given) throws IOException {
        switch (given[0]) {
            case "anonymize" -> anonymize(given[1], given[2], given[3], given.length > 4 ? given[4] : "krr");
            case "attack" -> {
                attack(given[1], given[2], "home", MORNING);
                attack(given[1], given[2], "visit", DAY);
            }
            default -> score(given[1], given[2], given[3]);
        }
    }
}
