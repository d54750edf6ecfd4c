import { expect, test } from 'bun:test'
import { lostFields, randomNumbers, writeOddPicture } from '../../../support/exif-layouts.ts'

test('in 300 unusual EXIF layouts no other field is lost, and most of them can be written', () => {
  const random = randomNumbers(20_261_123)
  let refused = 0
  for (let round = 0; round < 300; round++) {
    const write = writeOddPicture(random)
    expect({ round, sets: write.sets, lost: lostFields(write) }).toEqual({ round, sets: write.sets, lost: [] })
    if (write.after === null) refused++
  }
  expect(refused).toBeLessThan(30)
})
