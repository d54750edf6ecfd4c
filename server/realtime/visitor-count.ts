/** Counts the connections of visitors by address. */
import type { Connection } from './connection.ts'

export function createVisitorCount(mostOfAddress: number) {
  /** Address key of every connection. */
  const places = new Map<Connection, string>()
  /** Connections of visitors, and those that have not signed in yet. */
  const visitors = new Set<Connection>()
  const counts = new Map<string, number>()

  function count(place: string, by: number) {
    const now = (counts.get(place) ?? 0) + by
    if (now > 0) counts.set(place, now)
    else counts.delete(place)
  }

  function settle(connection: Connection, isVisitor: boolean): void {
    const place = places.get(connection)
    if (place === undefined || visitors.has(connection) === isVisitor) return
    if (isVisitor) visitors.add(connection)
    else visitors.delete(connection)
    count(place, isVisitor ? 1 : -1)
  }

  return {
    size: (): number => visitors.size,
    isFull: (place: string): boolean => (counts.get(place) ?? 0) >= mostOfAddress,

    /** Adds a connection. `place` is an `addressKey`. */
    add(connection: Connection, place: string, isVisitor: boolean): void {
      places.set(connection, place)
      settle(connection, isVisitor)
    },

    settle,

    remove(connection: Connection): void {
      settle(connection, false)
      places.delete(connection)
    },
  }
}
