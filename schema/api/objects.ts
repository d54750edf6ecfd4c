/** Objects: things on pictures, and their properties. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { byId, endpoint, idNumber, requiredText, shortText, trueOrFalse, unlocked } from './contract.ts'

const objectProperty = z.object({ id: z.int(), name: z.string(), value: z.string(), hidden: z.boolean() })
export type ObjectProperty = z.output<typeof objectProperty>

const thing = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** The parent's id: the object that this one is a part or a kind of. The name is the specification's. */
  isObjectId: z.int().nullable(),
  properties: z.array(objectProperty),
  itemcount: z.int(),
})
export type ThingObject = z.output<typeof thing>

const objectInput = z.object({
  name: requiredText('Name', limits.objectNameLength),
  description: shortText('Description', limits.objectTextLength).optional(),
  isObjectId: z.int().positive().nullable().optional(),
})

export const objectCalls = {
  list: endpoint('GET /v1/object', {
    summary: 'Objects on items that the caller sees; all objects, with hidden properties, for editors.',
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(thing),
  }),
  propertyNames: endpoint('GET /v1/object/properties', {
    summary: 'Names of properties in use.',
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(z.string()),
  }),
  create: endpoint('POST /v1/object', {
    summary: 'Creates an object.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 409] },
    body: objectInput,
    output: thing,
    status: 201,
  }),
  update: endpoint('PUT /v1/object/:id', {
    summary: 'Change an object. It cannot be part of itself.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: objectInput.partial(),
    output: thing,
  }),
  remove: endpoint('DELETE /v1/object/:id', {
    summary: 'Delete an object; with force=true also one that is on items.',
    rule: { who: 'globalAdmin', refused: [401, 403, 404, 409] },
    params: byId,
    query: z.object({ force: trueOrFalse.optional() }),
    status: 204,
  }),
  addProperty: endpoint('POST /v1/object/:id/property', {
    summary: 'Sets a property of an object; one of that name is replaced.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404] },
    params: byId,
    body: z.object({
      name: requiredText('Name', limits.propertyNameLength),
      value: shortText('Value', limits.objectTextLength),
      hidden: z.boolean().optional(),
    }),
    output: objectProperty,
    status: 201,
  }),
  removeProperty: endpoint('DELETE /v1/object/:id/property/:propId', {
    summary: 'Delete a property.',
    rule: { who: 'anyUpdate', refused: [401, 403, 404] },
    params: z.object({ id: idNumber, propId: idNumber }),
    status: 204,
  }),
}
