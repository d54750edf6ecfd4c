/** Constants of the specification and of the shared decisions, under the names that both ends use. */

/** The only place of the product's name. */
export const product = 'Keepsake'

export const limits = {
  usernameLength: 20,
  nameLength: 40,
  minPassword: 3,
  pinLength: 4,
  /** Session token, seconds; renewed this long before it expires, and on load when older than a day. */
  tokenSeconds: 30 * 86_400,
  renewBeforeSeconds: 600,
  renewAtLoadAfterSeconds: 86_400,
  /** A renewed session's old id stays valid this long, for a second tab. */
  renewGraceSeconds: 60,
  unlockIdleSeconds: 15 * 60,
  pinFailures: 5,
  pinLockSeconds: 15 * 60,
  /** Failed logins a minute: of a known name at an address; else of the address, of the name, and in all. */
  loginFailuresAMinute: { pair: 5, address: 10, name: 10, all: 100 },
  /** Wrong passwords by signed-in users for their own profile. */
  ownPasswordFailuresAMinute: 10,
  /** New accounts: from one address, and in all. */
  registrationsAMinute: 10,
  registrationsOfAllAMinute: 100,
  pageSize: 10,
  pageSizes: [10, 50, 100, 500],
  peoplePageSize: 15,
  /** Years of names; a birthdate ends with the current year. */
  minPersonYear: 1700,
  maxPersonYear: 2050,
  /** Transfer Items, while a collection is chosen; else a page has `pageSize`. */
  transferPageSize: 100,
  maxTransferItems: 100_000,
  /** A list has at most this many items at once. */
  maxPageSize: 5000,
  pagesShown: 9,
  /** Selecting everything that a filter matches loads this many at once. */
  selectPageSize: 200,
  geojsonPageSize: 5000,
  /** Clusters of the map: pixels, zoom; limits of their colours; zoom of a jump. */
  map: {
    clusterRadius: 50,
    clusterMaxZoom: 14,
    clusterColours: [100, 750],
    jumpZoom: 13,
    searchZoom: 16,
    popupWidth: 350,
    /** Positions kept at once; if there are more, those of the visible part. */
    maxPoints: 200_000,
  },
  /** Location filter in metres or kilometres; start and reset values. */
  minRadius: 0.1,
  maxRadius: 1000,
  radiusMetres: 1000,
  radiusReset: 100,
  /** The range in the sidebar: from 1 in steps of 1. */
  minRange: 1,
  radiusDebounceMs: 500,
  /** On This Day has at most this many items of all years. */
  maxOnThisDay: 5000,
  /** Most items and bytes of a download, and how many run at once, for one user and in all. */
  downloadItems: 20_000,
  downloadBytes: 200 * 1024 ** 3,
  downloadsOfOne: 2,
  downloadsOfAll: 6,
  /** Larger downloads are entries of the audit log. */
  largeDownloadItems: 100,
  largeDownloadBytes: 1000 ** 3,
  /** Days and bytes that the audit log keeps. */
  auditDays: 400,
  auditBytes: 100 * 1000 ** 2,
  /** Entries of the audit log on a page: default and most. */
  auditPage: 100,
  maxAuditPage: 500,
  /** Characters of an address with its parameters; proxies take heads of 16 KB in all. */
  addressLength: 14_000,
  /** The moving part of a picture is served without metadata up to this size, and if that takes no longer. */
  motionBytes: 64 * 1024 ** 2,
  motionSeconds: 120,
  /** Number of colours for years, used in turn. */
  yearColours: 11,
  suggestionsFrom: 3,
  /** Characters of a keyword, a category or an author: some files hold whole captions there. */
  keystringLength: 4000,
  /** Characters: an object's name and that of a property; its description and a property's value. */
  objectNameLength: 200,
  propertyNameLength: 100,
  objectTextLength: 4000,
  /** A place picked from the suggestions is a town: metres around its centre. */
  suggestedRadius: 10_000,
  minItemYear: 1800,
  /** Time for the second click on an object's chip. */
  chipDoubleClickMs: 200,
  minFilterYear: 1700,
  statusNotificationMs: 15_000,
  clientToastMs: 5_000,
  registeredDialogMs: 9_000,
  errorMessageMs: 3_000,
  reloadAfterChangeMs: 20_000,
  loadingFlagMs: 500,
  /** A list that has to be loaded again waits this long for further reasons. */
  windowRefreshMs: 500,
  /** Items per row by width: xs, sm, md, lg, xl, xxl. */
  itemsPerRow: { xs: 1, sm: 2, md: 2, lg: 3, xl: 4, xxl: 6 },
  headerHeight: 48,
  cardHeight: { xs: 430, other: 455 },
  shareHours: [24, 48, 168],
  /** Batch size for screen savers. */
  saverBatch: 20,
  /** Most savers of one account, and of one visitor's browser; visitors' savers expire after this many seconds. */
  saversOfUser: 100,
  saversOfVisitor: 3,
  /** Most savers of all visitors together, and how many an address may create in an hour. */
  saversOfVisitors: 200,
  saversAnHour: 20,
  visitorSaverSeconds: 86_400,
  /** Default seconds between pictures of a new saver. */
  saverSeconds: 5,
  /** Its sliders: in the settings from 2, when it is created or played from 5; start value of the player. */
  minSaverSeconds: 2,
  maxSaverSeconds: 60,
  minSaverPlay: 5,
  saverPlaySeconds: 15,
  saverAttempts: 3,
  /** The browser's model of faces. Its number increases when old faces cannot be compared with new ones. */
  faceModel: 'human-faceres-1',
  faces: {
    /** Numbers of a vector of that model. */
    numbers: 1024,
    /** The detector's configured confidence; each run uses the slider / 10. */
    confidence: 0.7,
    minSlider: 1,
    maxSlider: 10,
    slider: 5,
    /** Per picture. */
    most: 100,
    /** Most suggestions for a face, and how many of each person's most similar faces count. */
    top: 5,
    /** Similarity of two faces: Minkowski distance of this order, times the factor, mapped from `min`–`max` to 0–1. */
    order: 2,
    multiplier: 20,
    min: 0.2,
    max: 0.8,
    /** Two faces match above this value, as the model's authors say. */
    match: 0.5,
    /** A person is named without a question when more faces than these match. */
    matchesForName: 5,
    /** Boxes are the same if their edges differ by at most this, in thousandths, or if they overlap this far. */
    tolerance: 5,
    overlap: 0.4,
    /** A face joins a group when its mean similarity to the group's faces reaches this. */
    sameGroup: 0.56,
    /** Most faces that are named, or split from a group, in one call. */
    atOnce: 500,
    groupsShown: 30,
    /** Most groups that are merged in one call. */
    groupsAtOnce: 100,
    /** Faces of each group in the list. */
    groupShows: 8,
  },
  /** The file manager: most results of a search, most entries chosen at once, most bytes of a text that is saved. */
  maxFileSearch: 5_000,
  maxFileItems: 10_000,
  fileTextBytes: 16 * 1024 ** 2,
  recycledDays: 30,
  /** Most items and changes of one bulk edit. */
  maxBulkItems: 200_000,
  maxBulkChanges: 50,
  /** The websocket: of one connection, and of the server. */
  realtime: {
    frameBytes: 64 * 1024,
    subscriptions: 200,
    messagesASecond: 20,
    /** Calls of plugins that run at once. */
    calls: 16,
    /** Time to authenticate. */
    authenticateMs: 10_000,
    /** Bytes that may wait for a slow reader; with more the connection is closed. */
    waitingBytes: 1024 * 1024,
    /** Events sent after a reconnect; a client that missed more loads everything again. */
    missedEvents: 2_000,
    connections: 10_000,
    /** Connections that have not signed in: from one address; and how many of all are reserved for signed-in users. */
    visitorsOfAddress: 50,
    reserve: 500,
  },
  plugins: {
    manifestBytes: 256 * 1024,
    fileBytes: 16 * 1024 * 1024,
    resultBytes: 1024 * 1024,
    /** A method that takes longer than this should be a job. */
    answerMs: 60_000,
  },
  /** After a jump of the clock an automatic purge takes at most this many items a run. */
  purgedUnasked: 100,
} as const

export const fileWidget = {
  toastMs: 5_000,
  searchDebounceMs: 400,
  longPressMs: 500,
  maxBreadcrumb: 5,
  gridNameCharacters: 14,
  maxFileSize: '10mb',
  maxHeight: '400px',
  explorerLeastPx: 150,
  thumbnailAheadPx: 300,
  crop: { width: 795, height: 341 },
  maxViewMode: 3,
  maxImage: '50vh',
  pdfHeight: '60vh',
  startPath: '/',
  /** Most files and folders of one drop; not in the specification. */
  droppedMost: 10_000,
} as const

/** Tag sets that a search may include; default: the first three. */
export const searchableTags = ['Keywords', 'Category', 'People', 'Author'] as const
export type SearchableTag = (typeof searchableTags)[number]
export const defaultSearchTags: readonly SearchableTag[] = ['Keywords', 'Category', 'People']

/** Tag sets that are written as a whole, by their names in addresses. */
export const tagSetNames = [
  'DateTimeOriginal',
  'Description',
  'Category',
  'Keywords',
  'Author',
  'Locations',
  'People',
  'Object',
  'Rating',
] as const

export const keystringTags = ['Keywords', 'Category', 'Author'] as const

export const itemSorts = ['taken', '-taken', 'added', '-added', 'name', '-name'] as const
