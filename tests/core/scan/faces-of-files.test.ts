import { expect, test } from 'bun:test'
import { limits } from '../../../schema/limits.ts'
import { seen } from '../../support/faces.ts'
import { picture, scanningLibrary } from '../../support/scanning.ts'

/** A sidecar with a face's box in parts of the picture, as the Metadata Working Group has it, and a keyword. */
function sidecar(name: string, { x = 0.25, keyword = 'first' } = {}): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
  xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
<dc:subject><rdf:Bag><rdf:li>${keyword}</rdf:li></rdf:Bag></dc:subject>
<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
<mwg-rs:Name>${name}</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>
<mwg-rs:Area stArea:x="${x}" stArea:y="0.5" stArea:w="0.2" stArea:h="0.2" stArea:unit="normalized"/>
</rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>`
}

test('names that come in files teach at once whose faces lie in their boxes, once each, and no longer when they go', async () => {
  const house = scanningLibrary()
  const { db } = house.library
  house.put('a.jpg', await picture({ seed: 1, width: 800, height: 800 }))
  await house.scan()
  const id = house.items().get('a.jpg')?.id ?? 0
  await seen(db, id, [{ who: 1, x: 150, y: 400, width: 200, height: 200 }])
  const known = () =>
    db.all<{ name: string; seated: number }>(
      `SELECT n.name, f.region_id IS NOT NULL AND f.region_id = (SELECT region_id FROM found_faces) AS seated
       FROM faces AS f JOIN person_names AS n ON n.person_id = f.person_id WHERE f.model = ?`,
      limits.faceModel,
    )
  const scanWith = async (text: string) => {
    house.put('a.jpg.xmp', text)
    expect((await house.scan()).figures).toMatchObject({ changed: 1 })
  }
  expect(known()).toEqual([])
  await scanWith(sidecar('Anna'))
  expect(known()).toEqual([{ name: 'Anna', seated: 1 }])
  await scanWith(sidecar('Anna', { keyword: 'another one' }))
  expect(known()).toEqual([{ name: 'Anna', seated: 1 }])
  await scanWith(sidecar('Bert of the file'))
  expect(known()).toEqual([{ name: 'Bert of the file', seated: 1 }])
  await scanWith(sidecar('Bert of the file', { x: 0.85 }))
  expect(known()).toEqual([])
})
