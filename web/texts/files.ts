/** Texts of the screens Files and Transfer Items. */
import { texts } from './catalogue.ts'

export const filesTexts = texts('files', {
  // Specified, to the letter:
  failedToStartTransferring: 'Failed to start transferring items to collection',
  all: 'All',
  // Ours:
  onlyGlobalAdmin: 'Only a global administrator manages the files of the server.',
  pathCopiedToClipboard: 'Path copied to clipboard',
  failedToCopyThePath: 'Failed to copy the path',
  chooseWhereTheyGo: 'Choose where they go.',
  alreadyThere: 'They are in this collection already.',
  sourceIsReadOnly: '{name} is read-only: nothing moves out of it.',
  atMostItemsAtOnce: 'At most {most} items at once.',
  itemsCouldNotBeMoved: { one: '{count} item could not be moved', other: '{count} items could not be moved' },
  transferFailed: 'The transfer failed',
  itemsMovedTo: { one: '{count} item moved to {name}', other: '{count} items moved to {name}' },
  nothingWasMoved: 'Nothing was moved',
  failedToStopTheTransfer: 'Failed to stop the transfer',
  from: 'From',
  to: 'To',
  chooseACollection: 'Choose a collection',
  movingItemsTo: 'Moving items to {into}',
  transfer: 'Transfer',
  itemsMove: {
    one: '{count} item moves to {name}, with its files.',
    other: '{count} items move to {name}, with their files.',
  },
})
