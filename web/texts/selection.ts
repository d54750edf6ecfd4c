/** Texts of actions on selected items. */
import { texts } from './catalogue.ts'

export const selectionTexts = texts({
  // Specified, to the letter:
  failedToDownloadImage: 'Failed to download image',
  imageCopiedToClipboard: 'Image copied to clipboard',
  failedToRotateImage: 'Failed to rotate image',
  share: 'Share',
  tiny: 'Tiny',
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  variant: 'Variant',
  hours24: '24 Hours',
  hours48: '48 Hours',
  aWeek: 'A week',
  locateOnMap: 'Locate on Map',
  // Ours:
  rotating: 'Rotating',
  failedToStopRotating: 'Failed to stop rotating',
  itemRotatedCount: { one: '{count} item rotated', other: '{count} items rotated' },
  itemsRotatedBack: { one: '{count} item rotated back', other: '{count} items rotated back' },
  selecting: 'Selecting',
  selection: 'Selection',
  clearTheSelection: 'Clear the selection',
  clearTheSelectionEsc: 'Clear the selection (Esc)',
  item: 'Item',
  deleteQuestion: 'Are you sure you wish to delete these {count} items',
  oneGoesToBin: 'It goes into the recycle bin and can be restored from there.',
  someGoToBin: 'They go into the recycle bin and can be restored from there.',
  notOnThisPage: '{count} not on this page',
  notInThisView: '{count} not in this view',
  clearSelected: '{count} selected. Clear the selection',
  clearSelectedAway: '{count} selected, {away} not in this view. Clear the selection',
  selectedCount: '{count} selected',
})
