/** Exit codes and their meanings, for every command. */
export const exitCodes: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'failed'],
  [2, 'usage'],
  [3, 'done with problems'],
  [4, 'not found'],
  [5, 'denied'],
  [6, 'changed since the plan'],
  [7, 'safety stop'],
  [10, 'no library'],
  [11, 'busy'],
  [130, 'interrupted'],
]
