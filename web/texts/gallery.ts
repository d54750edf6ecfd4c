/** Texts of the gallery. */
import { texts } from './catalogue.ts'

export const galleryTexts = texts('gallery', {
  // Specified, to the letter:
  selectItem: 'Select {label}',
  // Ours:
  selectAllCount: { one: 'Select it', other: 'Select all {count}' },
  partSelected: '{chosen} of {count}',
  selectAllOf: 'Select all items of {heading}',
  beingPrepared: 'Being prepared',
  livePhoto: 'Live photo',
  actionsForItem: 'Actions for {label}',
  selectedItem: '{spoken}, selected',
  nothingIsOpenToVisitors: 'Nothing is open to visitors.',
  signInToSee: 'Sign in to see the pictures',
  noAccessYet: 'You have no access to a collection yet. Ask the administrator.',
  reading: 'Reading {name}',
  readingHint: 'The first pictures appear here while it is being scanned.',
  isReadyToBeScanned: '{name} is ready to be scanned',
  hasNoPictures: '{name} has no pictures',
  scanThisFolder: 'Scan this folder',
  chooseAnotherFolder: 'Choose another folder',
  thisSearchIsNotValid: 'This search is not valid',
  searchWithoutIt: 'Search without it',
  chooseFolderHint: 'A collection is a folder with pictures. {product} reads it and changes no file.',
  scanHint: '{product} reads the pictures in {path} and changes nothing there. You can look at them while it works.',
})
