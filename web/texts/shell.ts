/** Texts of the frame: menu, options, notifications. */
import { texts } from './catalogue.ts'

export const shellTexts = texts({
  // Specified, to the letter:
  downloadCurrent: 'Download Current',
  // Ours:
  dismiss: 'Dismiss: {text}',
  notifications: 'Notifications',
  nothingNew: 'Nothing new',
  notificationsNew: 'Notifications, {count} new',
  untilThereIsNo: 'Until there is no input for 15 minutes',
  asksForYourPin: 'Asks for your PIN',
  theme: 'Theme',
  dark: 'Dark',
  light: 'Light',
  showPicturesRotatedBy: 'Show pictures rotated by',
  itemSelectedCount: { one: '{count} item selected', other: '{count} items selected' },
  home: '{product}, home',
  mainMenu: 'Main menu',
  map: 'Map',
  on: ', on',
  thisIsAnError: 'This is an error in Keepsake. Your pictures are not affected.',
  somethingWentWrong: 'Something went wrong',
  loadThePageAgain: 'Load the page again',
  thisCouldNotBeOpened: 'This could not be opened',
  filterOn: 'Filter, on',
  messages: 'Messages',
  scanning: 'Scanning {name}',
  optionsNotShown: 'The options of {name} can’t be shown.',
  builtOn: 'Built {day}',
  itsPluginIsNotActive: 'Its plugin is not active.',
  thisScreenDoesNotExist: 'This screen does not exist',
  goToThePictures: 'Go to the pictures',
  errorInPlugin: 'The error is in the plugin. Everything else works.',
  doesNotWork: '{name} does not work',
})
