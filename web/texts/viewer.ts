/** Texts of the viewer. */
import { texts } from './catalogue.ts'

export const viewerTexts = texts('viewer', {
  // Specified, to the letter:
  of: '{time} of {length}',
  // Ours:
  showEverythingWith: 'Show everything with {word}',
  companionFile: 'companion',
  motionFile: 'motion',
  sidecarFile: 'sidecar',
  place: 'Place',
  filmstrip: 'Pictures before and after',
  closeTheDetails: 'Close the details',
  playTheLivePhoto: 'Play the live photo',
  rotateTheViewLeft: 'Rotate the view left',
  rotateTheViewRight: 'Rotate the view right',
  edit: 'Edit',
  original: 'Original',
  whoIsThis: 'Who is this?',
  showOnTheMap: 'Show on the map',
  moreAlbums: '{count} more',
  downloadOriginal: 'Download original',
  videoControls: 'Video',
  position: 'Position',
  soundOn: 'Sound on',
  soundOff: 'Sound off',
  thisVideoIsBeingPrepared: 'This video is being prepared.',
  preparing: 'Preparing',
  thereIsNoPicture: 'There is no picture in this video, only sound.',
  backToTheGallery: 'Back to the gallery',
})
