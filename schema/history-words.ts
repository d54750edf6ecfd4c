/** Steps of the history in words, shared by browsers and terminals. Pure. */
import type { HistoryStep } from './api/history.ts'
import { messageKey, plural } from './figures.ts'

type NamedStep = Pick<HistoryStep, 'operation' | 'items'> & { is_undo?: boolean }

/** What a step has done; `{items}` is a count of items. Pages load this table as part of their catalogue. */
export const stepMessages = {
  'item.tag': 'Changed tags of {items}',
  'item.bulk': 'Changed tags of {items}',
  'item.region': 'Marked people or objects on {items}',
  'item.rotate': 'Rotated {items}',
  'item.recycle': 'Deleted {items}',
  'item.restore': 'Restored {items}',
  'item.duplicates': 'Merged duplicates',
  'item.purge': 'Deleted {items} for good',
  'item.forget': 'Removed {items} whose files are gone',
  'item.upload': 'Uploaded {items}',
  'file.move': 'Moved {items}',
  'folder.move': 'Moved a folder',
  'file.delete': 'Deleted files',
  'file.import': 'Imported {items}',
  'metadata.import': 'Read the metadata of {items} from files',
  'library.restore': 'Restored an export onto {items}',
  undo: 'Undid a change of {items}',
  'keystring.merge': 'Merged keywords',
  'keystring.restore': 'Separated merged keywords',
  'keystring.update': 'Changed a keyword',
  'person.merge': 'Merged people',
  'person.restore': 'Separated merged people',
  'person.create': 'Added a person',
  'person.update': 'Changed a person',
  'person.names': 'Changed the names of a person',
  'person.remove': 'Removed a person',
  'object.create': 'Added an object',
  'object.update': 'Changed an object',
  'object.remove': 'Removed an object',
  'faces.merge': 'Merged groups of faces',
  'faces.split': 'Split a group of faces',
  'faces.ignore': 'Ignored or restored a group of faces',
  'collection.create': 'Created a collection',
  'collection.update': 'Changed the settings of a collection',
  'collection.remove': 'Deleted a collection',
  'access.attach': 'Gave a group access to a collection',
  'access.detach': 'Removed the access of a group to a collection',
  'access.update': 'Changed the rights of a group',
  'access.member.add': 'Added a user to a group',
  'access.member.remove': 'Removed a user from a group',
  'user.role': 'Changed who is a global admin',
  'user.disable': 'Disabled or enabled an account',
  'album.create': 'Created an album',
  'album.update': 'Changed an album',
  'album.remove': 'Deleted an album',
  'album.items': 'Changed the items of an album',
  'album.order': 'Changed the order of an album',
  'album.member': 'Changed the members of an album',
  'leftover.remove': 'Removed unused entries',
  'leftover.return': 'Restored unused entries',
  other: 'Changed {items}',
} as const

/** 'Changed tags of 612 items', or 'Undid: Moved 612 items'. */
export function stepText({ operation, items, is_undo }: NamedStep): string {
  const message = stepMessages[messageKey(stepMessages, operation)]
  const count = items === 0 ? 'something' : plural(items, 'item')
  const hasGap = message.includes('{items}')
  const text = hasGap || items === 0 ? message.replace('{items}', count) : `${message}, ${count}`
  return is_undo === true && operation !== 'undo' ? `Undid: ${text}` : text
}

/** The user's name, or 'This machine' for its own terminal. */
export function actorText({ username }: Pick<HistoryStep, 'username'>): string {
  return username ?? 'This machine'
}
