/** The table of all calls. */
import { accessCalls } from './access.ts'
import { albumCalls } from './albums.ts'
import { auditCalls } from './audit.ts'
import { collectionCalls } from './collections.ts'
import { faceCalls } from './faces.ts'
import { historyCalls } from './history.ts'
import { favouriteCalls, itemCalls } from './items.ts'
import { jobCalls } from './jobs.ts'
import { keystringCalls } from './keystrings.ts'
import { mapCalls } from './map.ts'
import { objectCalls } from './objects.ts'
import { peopleCalls } from './people.ts'
import { pluginCalls } from './plugins.ts'
import { screensaverCalls, tokenCalls } from './screensavers.ts'
import { linkCalls, shareCalls } from './shares.ts'
import { slideshowCalls } from './slideshow.ts'
import { systemCalls } from './system.ts'
import { tagCalls } from './tags.ts'
import { userCalls } from './users.ts'

/** Routes follow this order, so a fixed address comes before one with a parameter in the same position. */
export const calls = {
  system: systemCalls,
  access: accessCalls,
  shares: shareCalls,
  links: linkCalls,
  users: userCalls,
  collections: collectionCalls,
  tags: tagCalls,
  items: itemCalls,
  favourites: favouriteCalls,
  albums: albumCalls,
  people: peopleCalls,
  faces: faceCalls,
  objects: objectCalls,
  keystrings: keystringCalls,
  screensavers: screensaverCalls,
  tokens: tokenCalls,
  plugins: pluginCalls,
  slideshow: slideshowCalls,
  map: mapCalls,
  jobs: jobCalls,
  history: historyCalls,
  audit: auditCalls,
}
export type Calls = typeof calls
