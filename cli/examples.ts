/** An example of each command: shown by help, man page and README, and run by a test, in this order. */

export interface Example {
  /** The command: 'keepsake item list'. */
  of: string
  line: string
  /** What it does, as the end of a sentence without a full stop. */
  about: string
  /** Successful exit codes; default: 0. */
  exits?: readonly number[]
}

/** `typed`: the rest of the line, or the whole line where it is more than a call. */
function example(of: string, typed: string, about: string, exits?: readonly number[]): Example {
  const line = /^(keepsake|echo) /.test(typed) ? typed : `keepsake ${of} ${typed}`.trim()
  return { of: `keepsake ${of}`, line, about, ...(exits === undefined ? {} : { exits }) }
}

/** They build on each other: collections 'Pictures' and 'Archive', the user 'ines', a plan. */
export const examples: readonly Example[] = [
  example('scan', '~/Pictures', 'makes a collection of a directory and scans it'),
  example('scan', '--all --json', 'scans every collection, told as objects'),
  example('scan', 'Pictures --dry-run', 'says what a scan would find'),
  example('serve', '~/Pictures', 'serves the library, and scans a directory in the background'),
  example('tui', '', 'looks after the library on a whole screen; ? shows the keys'),
  example('collection add', '~/Archive', 'makes a collection without scanning it'),
  example(
    'collection set',
    "Archive managed=yes fileFormat=IMG_ 'folderFormat={Year}/{Month}'",
    'lets the library sort its files into folders',
  ),
  example('collection list', '', 'lists collections with their counts'),
  example('collection show', 'Archive', 'prints what is set for a collection'),
  example('item list', "'year:2019 -type:video' --limit 20", 'lists what a query finds'),
  example('item list', '--fields id,path,keywords', 'prints columns with tabs between, for scripts'),
  example('item show', '1', 'prints everything that is known of an item'),
  example('item tag add', "keywords 'Beach; Sea' --query year:2019", 'adds two keywords'),
  example(
    'item tag set',
    'keepsake item list keyword:beach --json | keepsake item tag set rating 5',
    'rates what another command lists',
  ),
  example('item tag remove', 'keywords Sea --query keyword:sea', 'takes a keyword away'),
  example('item rotate', '1 --left', 'turns a picture; its file stays as it is'),
  example('item recycle', '1 2 --dry-run', 'says what would go into the recycle bin'),
  example('item recycle', '2', 'puts an item into the recycle bin'),
  example('item restore', '2', 'takes it out again'),
  example('explain', "'beach (year:2019 OR rating:>=4)'", 'says how a query is understood'),
  example('import', '~/Card --into Archive', 'copies what a collection lacks'),
  example('transfer', "--to Archive --query 'in:Pictures year:2021' --dry-run", 'says what would be moved'),
  example('sort', 'Archive --plan sort.json', 'writes down what a sort would move'),
  example('apply', 'sort.json', 'does it, if nothing has changed since'),
  example('export', 'Pictures --format csv --out pictures.csv', 'writes a table'),
  example('export', '--out - | gzip > everything.json.gz', 'writes everything that people know'),
  example('export', 'Pictures --format xmp --to ~/sidecars', 'writes XMP sidecars into a folder'),
  example('meta import', 'Pictures --dry-run', 'says where files and library differ'),
  example('meta export', 'Pictures --dry-run', 'says which sidecars would be written', [0, 3]),
  example('people list', '', 'lists people with their names'),
  example('people rename', "Anna 'Anna Berg'", 'changes a name'),
  example('people name', "'Anna Berg' 'Anna Lind' --from 2021-06-05", 'adds the name that she took'),
  example('people merge', "'Anna Berg' Annie", 'makes one person of two'),
  example('people unused', '', 'lists people who are on no item'),
  example('people export', '> people.json', 'writes people with their names over time'),
  example('faces index', 'Pictures', 'looks for faces on what is new'),
  example('faces status', '', 'says how far that is'),
  example('faces groups', '', 'lists groups of faces that nobody has named'),
  example('faces forget', "--person 'Anna Berg' --yes", 'forgets what a face looks like'),
  example('models list', 'keepsake models', 'lists models that were added'),
  example(
    'models add',
    '~/sface/model.json --dry-run',
    'checks a model and its files, and says what would be added',
    [0, 4],
  ),
  example('models remove', 'sface-2021 --yes', 'removes one with all that it has found', [0, 4]),
  example('keystring list', '--tag Keywords', 'lists keywords with their counts'),
  example('keystring rename', 'Beach Strand', 'changes a word everywhere'),
  example('keystring hide', 'Strand --items', 'hides a word and the items under it'),
  example('keystring show', 'Strand', 'shows them again'),
  example('keystring merge', 'Strand Seaside', 'makes one word of two'),
  example(
    'user create',
    'echo "$PASSWORD" | keepsake user create ines --admin',
    'makes an account; without a pipe it asks',
  ),
  example('user list', '', 'lists accounts'),
  example('user passwd', 'echo "$PASSWORD" | keepsake user passwd ines', 'sets a password'),
  example('access create', 'Family --view', 'makes a group that may see'),
  example('access attach', 'Family Pictures', 'opens a collection to it'),
  example('access add', 'Family ines', 'puts a user into it'),
  example('access set', 'Family update=yes', 'lets it change tags, too'),
  example('access list', '', 'lists groups with their members'),
  example('access matrix', '', 'prints what everybody may do'),
  example('access explain', '--user ines --item 1', 'says why somebody sees an item'),
  example('access drop', 'Family ines', 'takes a user out of a group'),
  example('access detach', 'Family Pictures', 'closes a collection to a group'),
  example('token issue', '--user ines --expires 90d', 'makes a token for scripts, printed this once'),
  example('token list', '', 'lists tokens without their values'),
  example('token revoke', '1', 'shuts a token out'),
  example('plugin list', '', 'lists plugins'),
  example('plugin on', 'sample-statistics', 'switches one on'),
  example('plugin options', 'sample-statistics', 'prints its options'),
  example('plugin off', 'sample-statistics', 'switches it off'),
  example('jobs list', 'keepsake jobs --all', 'lists what is being done and what was done'),
  example('jobs watch', '', 'follows jobs until they have ended'),
  example('jobs cancel', '1', 'asks a job to stop'),
  example('problems', '', 'lists files that could not be read, and why', [0, 3]),
  example('history list', 'keepsake history --limit 10', 'lists what was changed, and by whom'),
  example('history undo', 'last --dry-run', 'says what would be taken back'),
  example('audit', '--action refusals --since 7d', 'lists who could not sign in, or was refused'),
  example('config list', 'keepsake config', 'prints settings and where each came from'),
  example('config get', 'listen', 'prints one'),
  example('config set', 'scan_every 12h', 'writes one into config.toml'),
  example('config unset', 'scan_every', 'takes it out again'),
  example('doctor', '', 'looks whether everything is well', [0, 1, 3]),
  example('verify', '--collection Pictures', 'reads every file and compares'),
  example('backup', '--out library.zip', 'copies what the library knows, while everything runs'),
  example('restore', 'library.zip --force --dry-run', 'reads and checks a backup'),
  example('restore', 'keepsake --data ~/restored restore library.zip', 'puts it into another data directory'),
  example('cron', '--for cron --at 2:30', 'prints a line for cron that scans each night'),
  example('completion', 'bash > keepsake.bash', 'makes completions for a shell'),
  example('man', '> keepsake.1', 'makes the manual page'),
  example('licenses', '', 'prints licences of what is inside'),
  example('collection remove', 'Archive --yes', 'forgets a collection; its files stay'),
]

export function examplesOf(command: string): Example[] {
  return examples.filter(({ of }) => of === command)
}
