/** Files that a module's import gives the path of. */
declare module '*.pbf' {
  const path: string
  export default path
}
declare module 'pbf' {
  export default class Pbf {
    constructor(bytes: Uint8Array)
    pos: number
    length: number
    readMessage<T>(read: (tag: number, into: T, pbf: Pbf) => void, into: T): T
    readString(): string
    readVarint(): number
    readSVarint(): number
  }
}
