/** The implementation of every call, for the server's routes and for the in-process client alike. */
import type { Calls } from '../../schema/api/calls.ts'
import type { Handlers } from '../../schema/api/contract.ts'
import { accessHandlers } from './access.ts'
import { auditHandlers } from './audit.ts'
import type { Caller, Core } from './caller.ts'
import { collectionHandlers } from './collections.ts'
import { faceHandlers } from './faces.ts'
import { historyHandlers } from './history.ts'
import { itemHandlers } from './items.ts'
import { jobHandlers } from './jobs.ts'
import { keystringHandlers } from './keystrings.ts'
import { mapHandlers } from './map.ts'
import { objectHandlers } from './objects.ts'
import { peopleHandlers } from './people.ts'
import { pluginHandlers } from './plugins.ts'
import { screensaverHandlers } from './screensavers.ts'
import { shareHandlers } from './shares.ts'
import { slideshowHandlers } from './slideshow.ts'
import { systemHandlers } from './system.ts'
import { tagHandlers } from './tags.ts'
import { tokenHandlers } from './tokens.ts'
import { userHandlers } from './users.ts'

export function createHandlers(core: Core): Handlers<Calls, Caller> {
  return {
    system: systemHandlers(core),
    access: accessHandlers(core),
    shares: shareHandlers(core),
    users: userHandlers(core),
    collections: collectionHandlers(core),
    tags: tagHandlers(core),
    items: itemHandlers(core),
    people: peopleHandlers(core),
    faces: faceHandlers(core),
    objects: objectHandlers(core),
    keystrings: keystringHandlers(core),
    screensavers: screensaverHandlers(core),
    tokens: tokenHandlers(core),
    map: mapHandlers(core),
    plugins: pluginHandlers(core),
    slideshow: slideshowHandlers(core),
    jobs: jobHandlers(core),
    history: historyHandlers(core),
    audit: auditHandlers(core),
  }
}
