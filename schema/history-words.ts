/** Steps of the history in words, shared by browsers and terminals. Pure. */
import type { HistoryStep } from './api/history.ts'
import { plural } from './figures.ts'

type NamedStep = Pick<HistoryStep, 'operation' | 'items'> & { is_undo?: boolean }

/** `of`: '1 item', '612 items', or '' if a step is about no item. */
const words: Record<string, (of: string) => string> = {
  'item.tag': of => `Changed tags of ${of}`,
  'item.bulk': of => `Changed tags of ${of}`,
  'item.region': of => `Marked who or what is on ${of}`,
  'item.rotate': of => `Rotated ${of}`,
  'item.recycle': of => `Deleted ${of}`,
  'item.restore': of => `Restored ${of}`,
  'item.duplicates': of => `Merged duplicates, ${of}`,
  'item.purge': of => `Deleted ${of} for good`,
  'item.forget': of => `Forgot ${of} whose files are gone`,
  'item.upload': of => `Uploaded ${of}`,
  'file.move': of => `Moved ${of}`,
  'folder.move': () => 'Moved a folder',
  'file.delete': () => 'Deleted files',
  'file.import': of => `Imported ${of}`,
  'metadata.import': of => `Read the metadata of ${of} from files`,
  'library.restore': of => `Restored an export onto ${of}`,
  undo: of => `Undid a change of ${of}`,
  'keystring.merge': () => 'Merged keywords',
  'keystring.restore': () => 'Separated merged keywords',
  'keystring.update': () => 'Changed a keyword',
  'person.merge': () => 'Merged people',
  'person.restore': () => 'Separated merged people',
  'person.create': () => 'Added a person',
  'person.update': () => 'Changed a person',
  'person.names': () => 'Changed the names of a person',
  'person.remove': () => 'Removed a person',
  'object.create': () => 'Added an object',
  'object.update': () => 'Changed an object',
  'object.remove': () => 'Removed an object',
  'faces.merge': () => 'Merged groups of faces',
  'faces.split': () => 'Split a group of faces',
  'faces.ignore': () => 'Put a group of faces aside or took it back',
  'collection.create': () => 'Created a collection',
  'collection.update': () => 'Changed the settings of a collection',
  'collection.remove': () => 'Deleted a collection',
  'access.attach': () => 'Opened a collection to a group',
  'access.detach': () => 'Closed a collection to a group',
  'access.update': () => 'Changed what a group may do',
  'access.member.add': () => 'Put somebody into a group',
  'access.member.remove': () => 'Took somebody out of a group',
  'user.role': () => 'Changed who is an administrator',
  'user.disable': () => 'Locked or unlocked an account',
  'leftover.remove': () => 'Removed what nothing uses',
  'leftover.return': () => 'Brought back what nothing uses',
}

/** 'Changed tags of 612 items', or 'Undid: Moved 612 items'. */
export function stepText(step: NamedStep): string {
  const text = changeText(step)
  return step.is_undo === true && step.operation !== 'undo' ? `Undid: ${text}` : text
}

function changeText({ operation, items }: NamedStep): string {
  const of = items === 0 ? '' : plural(items, 'item')
  const known = words[operation]?.(of === '' ? 'something' : of)
  // The text about a merge says how many items changed.
  if (known !== undefined) return of !== '' && !known.includes(of) ? `${known}, ${of}` : known
  return of === '' ? 'Changed something' : `Changed ${of}`
}

/** The user's name; the machine's terminal has none. */
export function actorText({ username }: Pick<HistoryStep, 'username'>): string {
  return username ?? 'This machine'
}
