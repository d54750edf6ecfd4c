/** Faces and names of the people who are most often on the pictures of an album, loaded after the album. */
import { useSignals } from '@preact/signals-react/runtime'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { Album } from '../../schema/api/albums.ts'
import type { SeenPerson } from '../../schema/api/people.ts'
import { api } from '../api.ts'
import { addressOfPerson } from '../app/current-filter.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { createResource } from '../app/loading/resource.ts'
import { versionOf } from '../app/loading/stale.ts'
import { facesPart, loadFacesPart } from '../faces/part.ts'
import { peopleOwner, peopleVersion } from '../faces/people-seen.ts'
import { listText } from '../kit/words.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { openAlbum } from './albums.ts'

interface PeopleOfAlbum {
  album: number
  people: SeenPerson[]
  total: number
}

/** Failures are not reported: the album is whole without faces. */
const resource = createResource<PeopleOfAlbum | null>(
  baseTexts.failedToLoadPersonData,
  async () => {
    const id = openAlbum.peek()?.id
    if (id === undefined) return null
    return { album: id, ...(await api.people.ofAlbum({ params: { id }, query: hiddenQuery() })) }
  },
  () => true,
)

/** The people of the album; null until they are loaded. */
export function usePeopleOf({ id }: Album): PeopleOfAlbum | null {
  useSignals()
  const version = `${peopleVersion() + versionOf('albums')} ${peopleOwner()}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when any of these changes
  useEffect(() => {
    loadFacesPart()
    void resource.load()
  }, [id, version])
  const { value } = resource.value
  if (value?.album === id) return value
  return resource.failed.value ? { album: id, people: [], total: 0 } : null
}

export function AlbumFaces({ people, total }: Pick<PeopleOfAlbum, 'people' | 'total'>) {
  useSignals()
  const { value } = facesPart
  const names = listText(people.map(({ name }) => name))
  const more = total - people.length
  const text = more > 0 ? albumsTexts.andMore({ names, count: more }) : names
  return (
    <>
      <span className="album-faces">
        {people.map(({ id, name, face }) => (
          <Link key={id} href={addressOfPerson(id, name)} title={name} aria-label={name}>
            {value !== null && <value.RoundFace name={name} face={face} size={28} />}
          </Link>
        ))}
      </span>
      <span className="album-people truncate" dir="auto" title={text} aria-hidden="true">
        {text}
      </span>
    </>
  )
}
