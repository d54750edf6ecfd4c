/** An example of each command, shown by help, man page and README, and run by a test in this order. */

export interface Example {
  /** The command: 'keepsake item list'. */
  of: string
  line: string
  /** What the command does: a sentence without its subject and full stop. */
  about: string
  /** Successful exit codes; default: 0. */
  exits?: readonly number[]
}

/** `typed`: what follows the command's name, or the whole line if it begins with 'keepsake' or 'echo'. */
function example(of: string, typed: string, about: string, exits?: readonly number[]): Example {
  const line = /^(keepsake|echo) /.test(typed) ? typed : `keepsake ${of} ${typed}`.trim()
  return { of: `keepsake ${of}`, line, about, ...(exits === undefined ? {} : { exits }) }
}

/** The examples build on each other: collections 'Pictures' and 'Archive', the user 'ines', a plan. */
export const examples: readonly Example[] = [
  example('scan', '~/Pictures', 'creates a collection from a directory and scans it'),
  example('scan', '--all --json', 'scans every collection, with JSON output'),
  example('scan', 'Pictures --dry-run', 'shows what a scan would find'),
  example('serve', '~/Pictures', 'serves the library, and scans a directory in the background'),
  example('tui', '', 'opens the dashboard; ? shows the keys'),
  example('collection add', '~/Archive', 'creates a collection without scanning it'),
  example(
    'collection set',
    "Archive managed=yes fileFormat=IMG_ 'folderFormat={Year}/{Month}'",
    'lets the library sort its files into folders',
  ),
  example('collection list', '', 'lists collections with their counts'),
  example('collection show', 'Archive', 'prints the settings of a collection'),
  example('item list', "'year:2019 -type:video' --limit 20", 'lists what a query finds'),
  example('item list', '--fields id,path,keywords', 'prints tab-separated columns, for scripts'),
  example('item show', '1', 'prints all metadata of an item'),
  example('item tag add', "keywords 'Beach; Sea' --query year:2019", 'adds two keywords'),
  example(
    'item tag set',
    'keepsake item list keyword:beach --json | keepsake item tag set rating 5',
    'rates what another command lists',
  ),
  example('item tag remove', 'keywords Sea --query keyword:sea', 'removes a keyword'),
  example('item rotate', '1 --left', 'rotates a picture; its file is not changed'),
  example('item recycle', '1 2 --dry-run', 'shows what would be recycled'),
  example('item recycle', '2', 'recycles an item'),
  example('item restore', '2', 'restores an item from the recycle bin'),
  example('explain', "'beach (year:2019 OR rating:>=4)'", 'explains how a query is parsed'),
  example('album create', "Summer --description 'At the sea'", 'creates an album by hand'),
  example('album create', "'Best of 2019' --query 'year:2019 rating:>=4'", 'creates an album by a search'),
  example('album create', 'Journeys --new-folder', 'creates a folder of albums'),
  example('album add', 'Summer --query year:2019', 'adds what a query finds to an album'),
  example('album list', '', 'lists albums and folders'),
  example('album show', 'Summer', 'shows an album and its items, in its order'),
  example('album set', 'Summer --folder Journeys --sort hand', 'changes an album'),
  example('album remove', 'Summer 1 --dry-run', 'shows what would be removed from an album'),
  example('import', '~/Card --into Archive', 'copies missing files into a collection'),
  example('transfer', "--to Archive --query 'in:Pictures year:2021' --dry-run", 'shows what would be moved'),
  example('sort', 'Archive --plan sort.json', 'writes a plan of what a sort would move'),
  example('apply', 'sort.json', 'performs a plan, if nothing has changed since'),
  example('export', 'Pictures --format csv --out pictures.csv', 'writes a table'),
  example('export', '--out - | gzip > everything.json.gz', 'writes all metadata'),
  example('export', 'Pictures --format xmp --to ~/sidecars', 'writes XMP sidecars into a folder'),
  example('meta import', 'Pictures --dry-run', 'shows where files and library differ'),
  example('meta export', 'Pictures --dry-run', 'shows which sidecars would be written', [0, 3]),
  example('people list', '', 'lists people with their names'),
  example('people rename', "Anna 'Anna Berg'", 'changes a name'),
  example('people name', "'Anna Berg' 'Anna Lind' --from 2021-06-05", 'adds a later name'),
  example('people merge', "'Anna Berg' Annie", 'merges two people'),
  example('people unused', '', 'lists people who are on no item'),
  example('people export', '> people.json', 'writes people with their names over time'),
  example('faces index', 'Pictures', 'detects faces on new pictures'),
  example('faces status', '', 'shows the progress of the search for faces'),
  example('faces groups', '', 'lists groups of unnamed faces'),
  example('faces forget', "--person 'Anna Berg' --yes", 'deletes the face data of a person'),
  example('models list', 'keepsake models', 'lists added models'),
  example('models add', '~/sface/model.json --dry-run', 'checks a model and its files without adding it', [0, 4]),
  example('models remove', 'sface-2021 --yes', 'removes a model and its faces', [0, 4]),
  example('keystring list', '--tag Keywords', 'lists keywords with their counts'),
  example('keystring rename', 'Beach Strand', 'renames a keyword everywhere'),
  example('keystring hide', 'Strand --items', 'hides a keyword and its items'),
  example('keystring show', 'Strand', 'shows a hidden keyword and its items again'),
  example('keystring merge', 'Strand Seaside', 'merges two keywords'),
  example(
    'user create',
    'echo "$PASSWORD" | keepsake user create ines --admin',
    'creates an account; without a pipe it asks for a password',
  ),
  example('user list', '', 'lists accounts'),
  example('user passwd', 'echo "$PASSWORD" | keepsake user passwd ines', 'sets a password'),
  example('favourite add', '1 --user ines', 'marks an item as a favourite of a user'),
  example('favourite list', '--user ines --json', 'lists the favourites of a user'),
  example('favourite remove', '1 --user ines', 'removes an item from the favourites of a user'),
  example('album member', 'Summer ines add', 'lets a user view an album and add items'),
  example('album delete', "'Best of 2019'", 'deletes an album; its items stay'),
  example('link create', '1 --user ines --title Beach', 'makes a link to an item for a day'),
  example('link create', '--album Summer --user ines --expires 1week --originals', 'makes a link to an album'),
  example(
    'link create',
    'echo "$PASSWORD" | keepsake link create --query year:2019 --user ines --password --details',
    'makes a link with a password that shows names and places',
  ),
  example('link list', '', 'lists links, and how often they were opened'),
  example('link end', '1', 'ends a link at once'),
  example('access create', 'Family --view', 'creates a group that may view'),
  example('access attach', 'Family Pictures', 'gives a group access to a collection'),
  example('access add', 'Family ines', 'adds a user to a group'),
  example('access set', 'Family update=yes', 'allows a group to change tags, too'),
  example('access list', '', 'lists groups with their members'),
  example('access matrix', '', 'prints the rights of all users'),
  example('access explain', '--user ines --item 1', 'explains why a user sees an item'),
  example('access drop', 'Family ines', 'removes a user from a group'),
  example('access detach', 'Family Pictures', 'ends the access of a group'),
  example('token issue', '--user ines --expires 90d', 'creates a token for scripts, shown only once'),
  example('token list', '', 'lists tokens without their values'),
  example('token revoke', '1', 'revokes a token'),
  example('plugin list', '', 'lists plugins'),
  example('plugin on', 'sample-statistics', 'activates a plugin'),
  example('plugin options', 'sample-statistics', 'prints the options of a plugin'),
  example('plugin off', 'sample-statistics', 'deactivates a plugin'),
  example('jobs list', 'keepsake jobs --all', 'lists running and finished jobs'),
  example('jobs watch', '', 'follows jobs until they have ended'),
  example('jobs cancel', '1', 'cancels a job'),
  example('problems', '', 'lists files that could not be read, and why', [0, 3]),
  example('history list', 'keepsake history --limit 10', 'lists changes and who made them'),
  example('history undo', 'last --dry-run', 'shows what would be undone'),
  example('audit', '--action refusals --since 7d', 'lists failed logins and refusals'),
  example('config list', 'keepsake config', 'prints settings and where each came from'),
  example('config get', 'listen', 'prints a setting'),
  example('config set', 'scan_every 12h', 'writes a setting into config.toml'),
  example('config unset', 'scan_every', 'removes a setting from config.toml'),
  example('doctor', '', 'checks the library and its machine', [0, 1, 3]),
  example('verify', '--collection Pictures', 'reads every file and compares it with its record'),
  example('backup', '--out library.zip', 'backs up the library while everything runs'),
  example('restore', 'library.zip --force --dry-run', 'reads and checks a backup'),
  example('restore', 'keepsake --data ~/restored restore library.zip', 'restores a backup into another data directory'),
  example('cron', '--for cron --at 2:30', 'prints a crontab line for a nightly scan'),
  example('completion', 'bash > keepsake.bash', 'generates shell completions'),
  example('man', '> keepsake.1', 'generates the manual page'),
  example('licenses', '', 'prints the licences of its components'),
  example('collection remove', 'Archive --yes', 'removes a collection; its files are kept'),
]

export function examplesOf(command: string): Example[] {
  return examples.filter(({ of }) => of === command)
}
