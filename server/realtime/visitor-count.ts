/** How many connections there are of visitors, by the address that they come from. */
import type { Connection } from './connection.ts'

export function createVisitorCount(mostOfAddress: number) {
  /** The place of every connection, whoever it is now. */
  const places = new Map<Connection, string>()
  /** Connections of visitors, and of those who have not said who they are. */
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

    /** A new connection, of somebody who has not shown yet who they are or of a user. `place` is an `addressKey`. */
    add(connection: Connection, place: string, isVisitor: boolean): void {
      places.set(connection, place)
      settle(connection, isVisitor)
    },

    /** The connection has said who it is. */
    settle,

    remove(connection: Connection): void {
      settle(connection, false)
      places.delete(connection)
    },
  }
}
