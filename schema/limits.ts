/** Business constants of the specification (§5, §9) and of the decisions, under the names that code on both ends uses. */

/** The product's name stands here and nowhere else. */
export const product = 'Keepsake'

export const limits = {
  usernameLength: 20,
  nameLength: 40,
  passwordLeast: 3,
  pinLength: 4,
  /** Session token, seconds; renewed this long before its end, and at load when older than a day. */
  tokenSeconds: 30 * 86_400,
  renewBeforeSeconds: 600,
  renewAtLoadAfterSeconds: 86_400,
  /** A renewed session's old id stays good that long, for a second tab. */
  renewGraceSeconds: 60,
  unlockIdleSeconds: 15 * 60,
  pinFailures: 5,
  pinLockSeconds: 15 * 60,
  loginFailuresAMinute: 10,
  pageSize: 10,
  pageSizes: [10, 50, 100, 500],
  /** A list answers at most this many items at once. */
  pageSizeMost: 5000,
  pagesShown: 9,
  geojsonPageSize: 5000,
  suggestionsFrom: 3,
  itemYearLeast: 1800,
  filterYearLeast: 1700,
  statusNotificationMs: 15_000,
  clientToastMs: 5_000,
  registeredDialogMs: 9_000,
  errorMessageMs: 3_000,
  reloadAfterChangeMs: 20_000,
  loadingFlagMs: 500,
  /** Items per row by width: xs, sm, md, lg, xl, xxl. */
  itemsPerRow: { xs: 1, sm: 2, md: 2, lg: 3, xl: 4, xxl: 6 },
  headerHeight: 48,
  cardHeight: { xs: 430, other: 455 },
  shareHours: [24, 48, 168],
  recycledDays: 30,
} as const

/** Tag sets that a search may look in; the first three are searched unless the caller says otherwise. */
export const searchableTags = ['Keywords', 'Category', 'People', 'Author'] as const
export type SearchableTag = (typeof searchableTags)[number]
export const defaultSearchTags: readonly SearchableTag[] = ['Keywords', 'Category', 'People']
