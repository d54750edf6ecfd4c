/** Texts of the map and of choosing a place. */
import { texts } from './catalogue.ts'

export const mapTexts = texts({
  // Specified, to the letter:
  failedToLoadGeojsonFeatures: 'Failed to load geojson features',
  km: 'km',
  // Ours:
  failedToLoadTheMap: 'Failed to load the map',
  failedToChooseTheMap: 'Failed to choose the map',
  failedToFindPlaces: 'Failed to find places',
  findAPlace: 'Find a place',
  places: 'Places',
  noMatchingPlace: 'No matching place',
  open: 'Open {spoken}',
  itemsHere: 'Items here',
  thisItemHasNoPlace: 'This item has no place',
  locationFilter: 'Location filter',
  placesCouldNotBeLoaded: 'The places could not be loaded',
  lookingForPlaces: 'Looking for places',
  noMatchingItemHas: 'No matching item has a place',
  useOpenStreetMapTiles: 'Use OpenStreetMap tiles',
  useTheBuiltInMap: 'Use the built-in map',
  worldMap: 'World map',
  whereItWasTaken: 'Where it was taken',
  mapToSetPlace: 'Map: click to say where it was taken',
  mapToChoosePlace: 'Map: click to choose the place',
  clickTheMap: 'Click the map to choose a place.',
  useTheCentre: 'Use the centre of the map',
  placesShown: '{number} of {total} places',
  placesShownZoomIn: '{number} of {total} places; zoom in to see all of a region',
  itemsHavePlaces: '{number} items have a place',
  itemsOfTotalHavePlaces: '{number} of {total} items have a place',
})
