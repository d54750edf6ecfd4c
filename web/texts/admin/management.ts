/** Texts of the screen Management. */
import type { AuditEntry } from '../../../schema/api/audit.ts'
import { auditAbout, auditMessages, auditPhrases, auditWho, type FillPhrase } from '../../../schema/audit-text.ts'
import { texts } from '../catalogue.ts'

export const managementTexts = texts('management', {
  // Specified, to the letter:
  log: 'Log',
  recycleBin: 'Recycle Bin',
  missingItems: 'Missing Items',
  plugins: 'Plugins',
  noMissingItems: 'No missing items',
  failedToTogglePlugin: 'Failed to toggle plugin',
  failedToLoadPluginOptions: 'Failed to load plugin options',
  failedToSavePluginOptions: 'Failed to save plugin options',
  deleted: 'Deleted',
  deletionTimeText: 'Will be deleted',
  recycleBinIsEmpty: 'Recycle bin is empty',
  // Ours:
  visitors: 'Visitors',
  thisMachine: 'This machine',
  logins: 'Logins',
  failuresAndRefusals: 'Failures and refusals',
  accounts: 'Accounts',
  groupsAndAccess: 'Groups and access',
  tokensAndDevices: 'Tokens and devices',
  downloads: 'Downloads',
  last24Hours: 'Last 24 hours',
  last7Days: 'Last 7 days',
  last30Days: 'Last 30 days',
  allOfIt: 'All of it',
  today: 'Today, {day}',
  yesterday: 'Yesterday, {day}',
  unableToLoadTheLog: 'Unable to load the log',
  who: 'Who',
  what: 'What',
  target: 'Target',
  fromAddress: 'Address',
  searchTheLog: 'Search the log',
  whoWhatAddress: 'Who, what, address',
  showOlderEntries: 'Show older entries',
  logIsEmptyHint: 'Logins, refusals, changes of accounts and rights, and large downloads are listed here.',
  nothingWasRecorded: 'Nothing was recorded in the last 30 days',
  noMatchingEntries: 'No matching entries',
  inDays: { one: 'in {count} day', other: 'in {count} days' },
  failedToRestoreItem: 'Failed to restore item',
  failedToEmptyBin: 'Failed to empty the recycle bin',
  itemsDeletedForGood: { one: '{count} item deleted for good', other: '{count} items deleted for good' },
  itemsCouldNotBeDeleted: {
    one: '{count} item could not be deleted. {message}',
    other: '{count} items could not be deleted. {message}',
  },
  failedToRemoveMissingItems: 'Failed to remove missing items',
  missingItemsRemoved: { one: '{count} missing item removed', other: '{count} missing items removed' },
  itsFileIsGone: 'Its file is gone from the disk; a scan that finds it again brings it back.',
  theirFilesAreGone: 'Their files are gone from the disk; a scan that finds them again brings them back.',
  taken: 'Taken',
  removeAll: 'Remove all',
  removeItemHint: 'Its tags are forgotten. If its file is back, it is shown again instead.',
  noMissingItemsHint: 'Items whose file is gone from the disk are listed here.',
  isNow: '{from} is now {into}',
  merge: 'Merge {name}',
  whoIsTheSamePerson: 'Who is the same person?',
  nobodyHasThatName: 'Nobody has that name',
  chooseSamePerson: 'Choose who is the same person.',
  swap: 'Swap',
  name: 'Name {number}',
  fromDay: 'From',
  until: 'Until',
  lastNameStays: 'The last remaining name cannot be deleted',
  birthdate: 'Birthdate',
  namesOverTime: 'Names over time',
  addAName: 'Add a name',
  lastNameStaysHint: 'The last remaining name cannot be deleted. Leave dates empty for no limit.',
  namesOverTimeHint: 'Pictures show the name of their day. Leave dates empty for no limit.',
  born: 'Born',
  removeUnusedPeople: 'Remove unused people',
  removeUnused: 'Remove unused',
  removeUnusedQuestion: 'Remove all people who are on no item?',
  removeUnusedHint:
    'Items in the recycle bin and missing ones count too. The names and faces of those who are removed are gone with them, and cannot be restored.',
  unnamedFaces: 'Unnamed faces',
  findAPerson: 'Find a person',
  personCount: { one: '{count} person', other: '{count} people' },
  export: 'Export',
  noPeopleYet: 'No people yet. Name people on pictures in Item Metadata.',
  failedToLoadPlugins: 'Failed to load plugins',
  notANumber: 'Not a number',
  secretRemoved: 'It is removed when you save',
  secretNotSet: 'Not set. It can be replaced later, but never shown',
  secretSet: 'Set. Leave empty to keep it',
  secretReplaced: 'Replaces the current value',
  optionsSaved: 'Options saved',
  optionsOf: 'Options of {name}',
  thisPluginHasNoOptions: 'This plugin has no options.',
  on: 'On',
  off: 'Off',
  version: 'Version',
  noPlugins: 'No plugins',
  noPluginsHint: 'A plugin is a folder in the directory ‘plugins’ of the data directory.',
  deleteAll: 'Delete all',
  deleteKeepsFile: 'It cannot be restored. Its collection is read-only, so its file is kept.',
  deleteTakesFile: 'It cannot be restored: its file is deleted too.',
  binIsEmptyHint: 'Items deleted in the gallery are kept here and can be restored.',
  keptForDays: 'Kept for {days} days',
  removeAllHint: 'Their tags are forgotten. An item whose file is back is shown again instead.',
  removeAllOfHint:
    'Only the missing items of {name}. Their tags are forgotten. An item whose file is back is shown again instead.',
  deleteAllHint:
    'In the collections that you administer they go for good, with their files where the collection is not read-only. They cannot be restored.',
  deleteAllOfHint:
    'The recycled items of {name} go for good, with their files where the collection is not read-only. They cannot be restored.',
  deleteAllQuestion: {
    one: 'Are you sure you wish to delete this item',
    other: 'Are you sure you wish to delete these {count} items',
  },
  itemRestored: '1 item restored',
  itemDeletedForGood: '1 item deleted for good',
  missingItemRemoved: '1 missing item removed',
  filesAreBack: {
    one: 'The file of 1 item is there again: it is shown as before.',
    other: 'The files of {count} items are there again: they are shown as before.',
  },
  moreTypeAName: '{count} more: type a name.',
  mergeHint: {
    one: '{kept} stays and takes over the {count} item, names and faces of {gone}.',
    other: '{kept} stays and takes over the {count} items, names and faces of {gone}.',
  },
  removeTheName: 'Remove the name {name}',
})

/** Actions of the audit log, which terminals share. */
export const auditActionNames = texts('auditActions', auditMessages)
const phrases: Readonly<Record<string, string | ((values: never) => unknown)>> = texts('auditPhrases', auditPhrases)
const fillPhrase: FillPhrase = (phrase, values) => {
  const text = phrases[phrase]
  return typeof text === 'function' ? String(text(values as never)) : (text ?? '')
}
/** The actor of an entry, and what follows the words for its action. */
export const auditActorName = ({ actor, username }: AuditEntry) => auditWho(actor, username, fillPhrase)
export const auditTarget = (entry: AuditEntry) => auditAbout(entry, fillPhrase)
