/** Calls about people, their names over time, and faces. */
import { type CallHandlers, done } from '../accounts/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { startMerge } from '../vocabulary/merge-jobs.ts'
import type { Jobs } from '../work/jobs.ts'
import type { Recognition } from './faces/recognition.ts'
import type { PeopleOverviews } from './overview.ts'
import type { People } from './people.ts'

interface PeopleParts extends Pick<Recognition, 'faces'> {
  db: LibraryDatabase
  jobs: Jobs
  people: People
  peopleOverviews: PeopleOverviews
}

export function peopleCalls({ db, jobs, people, peopleOverviews, faces }: PeopleParts): CallHandlers<'people'> {
  return {
    list: ({ viewer }, { query }) => people.list(viewer, query),
    names: ({ viewer }, { query }) => people.names(viewer, query),
    overview: ({ viewer }, { query }) => peopleOverviews.list(viewer, query),
    page: ({ viewer }, { params, query }) => peopleOverviews.page(viewer, params.id, query),
    ofAlbum: ({ viewer }, { params, query }) => peopleOverviews.ofAlbum(viewer, params.id, query),
    faces: ({ viewer }) => faces.list(viewer),
    create: ({ viewer }, { body }) => people.create(viewer, body),
    update: ({ viewer }, { params, body }) => people.update(viewer, params.id, body),
    unused: async ({ viewer }) => people.unusedIds(viewer),
    removeUnused: async ({ viewer }) => ({ removed: await people.removeUnused(viewer) }),
    merge: ({ viewer }, { params }) => startMerge({ db, jobs }, viewer, 'merge-people', params),
    addName: ({ viewer }, { params, body }) => people.addName(viewer, params.id, body),
    updateName: ({ viewer }, { params, body }) => people.updateName(viewer, params, body),
    removeName: ({ viewer }, { params }) => done(people.removeName(viewer, params)),
    addFace: ({ viewer }, { params, body }) => faces.add(viewer, params.id, body),
    updateFace: ({ viewer }, { params, body }) => faces.update(viewer, params, body),
    removeFace: ({ viewer }, { params }) => done(faces.remove(viewer, params)),
  }
}

export function faceCalls({
  clock,
  foundFaces,
  faceGroups,
}: { clock: Clock } & Pick<Recognition, 'foundFaces' | 'faceGroups'>): CallHandlers<'faces'> {
  return {
    ofItem: ({ viewer }, { params }) => foundFaces.ofItem(viewer, params.id),
    suggest: ({ viewer }, { params, body }) => foundFaces.suggest(viewer, params.id, body),
    status: ({ viewer }) => foundFaces.status(viewer),
    groups: ({ viewer }, { query }) => faceGroups.list(viewer, query),
    group: ({ viewer }, { params, query }) => faceGroups.get(viewer, params.id, query.includeHidden),
    nameGroup: ({ viewer }, { params, body }) => faceGroups.name(viewer, params.id, body),
    mergeGroups: ({ viewer }, { params, body }) => faceGroups.merge(viewer, params.id, body.groups),
    splitGroup: ({ viewer }, { params, body }) => faceGroups.split(viewer, params.id, body.faces),
    ignoreGroup: ({ viewer }, { params, body }) => faceGroups.ignore(viewer, params.id, body.ignored),
    index: async ({ viewer }, { body }) => ({
      taskid: await foundFaces.index(viewer, body, { now: clock.now() }),
    }),
    due: async ({ viewer }, { query }) => foundFaces.outlook(viewer, query),
    regroup: async ({ viewer }) => ({ taskid: await foundFaces.regroup(viewer) }),
    gone: ({ viewer }) => foundFaces.gone(viewer),
    forget: ({ viewer }, { query }) => foundFaces.forget(viewer, query),
  }
}
