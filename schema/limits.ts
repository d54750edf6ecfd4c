/** Constants of the specification and of shared decisions, under the names that server and pages use. */

/** The product's name, as titles and messages show it. */
export const product = 'Keepsake'

export const limits = {
  usernameLength: 20,
  nameLength: 40,
  minPassword: 3,
  pinLength: 4,
  /** Seconds that a session token is valid. */
  tokenSeconds: 30 * 86_400,
  /** A token is renewed this long before it expires, and at the load of a page if it is older than the second value. */
  renewBeforeSeconds: 600,
  renewAtLoadAfterSeconds: 86_400,
  /** A renewed session's old id stays valid for this long, for a second tab. */
  renewGraceSeconds: 60,
  unlockIdleSeconds: 15 * 60,
  pinFailures: 5,
  pinLockSeconds: 15 * 60,
  /**
   * Failed logins per minute: for a name at an address (`pair`). If the name has not signed in at the address before,
   * also for the `address`, for the `name`, and for `all` logins together.
   */
  loginFailuresAMinute: { pair: 5, address: 10, name: 10, all: 100 },
  /** Wrong passwords by signed-in users for their own profile. */
  ownPasswordFailuresAMinute: 10,
  /** Names of users that do not exist, per minute, by a user who shares an album. */
  unknownMembersAMinute: 10,
  /** New accounts per minute: from one address, and in total. */
  registrationsAMinute: 10,
  registrationsOfAllAMinute: 100,
  pageSize: 10,
  pageSizes: [10, 50, 100, 500],
  peoplePageSize: 15,
  /** Years of a name's dates, and of birthdates, whose maximum is the current year instead. */
  minPersonYear: 1700,
  maxPersonYear: 2050,
  /** Page size of Transfer Items while only one collection is shown; otherwise, it is `pageSize`. */
  transferPageSize: 100,
  maxTransferItems: 100_000,
  /** Maximum number of items in one response. */
  maxPageSize: 5000,
  pagesShown: 9,
  /** Number of items loaded at once when selecting everything that matches a filter. */
  selectPageSize: 200,
  /** Regions or towns of each country that Places shows first. */
  placesOfCountry: 4,
  geojsonPageSize: 5000,
  /** The map: sizes in pixels, zoom levels, and the counts from which a cluster changes its colour. */
  map: {
    clusterRadius: 50,
    clusterMaxZoom: 14,
    clusterColours: [100, 750],
    jumpZoom: 13,
    searchZoom: 16,
    popupWidth: 350,
    /** Maximum number of positions kept at once; if there are more, those of the visible part are kept. */
    maxPoints: 200_000,
  },
  /** Range of the location filter's radius, in metres or kilometres; its initial and reset values, in metres. */
  minRadius: 0.1,
  maxRadius: 1000,
  radiusMetres: 1000,
  radiusReset: 100,
  /** Minimum of the slider in the sidebar, whose steps are 1. */
  minRange: 1,
  radiusDebounceMs: 500,
  /** Maximum number of items of all years in On This Day. */
  maxOnThisDay: 5000,
  /** Maximum items and bytes of a download, and how many run at once, per user and in total. */
  downloadItems: 20_000,
  downloadBytes: 200 * 1024 ** 3,
  downloadsOfOne: 2,
  downloadsOfAll: 6,
  /** Larger downloads are recorded in the audit log. */
  largeDownloadItems: 100,
  largeDownloadBytes: 1000 ** 3,
  /** Maximum age in days and maximum bytes of the audit log. */
  auditDays: 400,
  auditBytes: 100 * 1000 ** 2,
  /** Entries of the audit log on a page: default and maximum. */
  auditPage: 100,
  maxAuditPage: 500,
  /** Maximum characters of an address with its parameters; proxies accept heads of 16 KB in total. */
  addressLength: 14_000,
  /** A motion part is sent without metadata if it is at most this large, and its conversion takes at most this long. */
  motionBytes: 64 * 1024 ** 2,
  motionSeconds: 120,
  /** Number of colours for years, used in turn. */
  yearColours: 11,
  suggestionsFrom: 3,
  /** Maximum characters of a keyword, a category or an author; some files have whole captions there. */
  keystringLength: 4000,
  personNameLength: 200,
  /** Maximum characters of an object's or property's name, and of a description or property's value. */
  objectNameLength: 200,
  propertyNameLength: 100,
  objectTextLength: 4000,
  /** Radius in metres around the centre of a town that was chosen from the suggestions. */
  suggestedRadius: 10_000,
  minItemYear: 1800,
  /** Maximum milliseconds until the second click on an object's chip. */
  chipDoubleClickMs: 200,
  minFilterYear: 1700,
  statusNotificationMs: 15_000,
  clientToastMs: 5_000,
  registeredDialogMs: 9_000,
  errorMessageMs: 3_000,
  reloadAfterChangeMs: 20_000,
  loadingFlagMs: 500,
  /** Milliseconds that a list waits for further changes before it reloads. */
  windowRefreshMs: 500,
  /** Items per row by width: xs, sm, md, lg, xl, xxl. */
  itemsPerRow: { xs: 1, sm: 2, md: 2, lg: 3, xl: 4, xxl: 6 },
  headerHeight: 48,
  cardHeight: { xs: 430, other: 455 },
  shareHours: [24, 48, 168],
  /** Batch size for screen savers. */
  saverBatch: 20,
  /** Maximum savers of an account, and of a visitor's browser; visitors' savers expire after this many seconds. */
  saversOfUser: 100,
  saversOfVisitor: 3,
  /** Maximum savers of all visitors together, and how many an address may create per hour. */
  saversOfVisitors: 200,
  saversAnHour: 20,
  visitorSaverSeconds: 86_400,
  /** Default seconds between pictures of a new saver. */
  saverSeconds: 5,
  /** Range of the slider in the settings. When a saver is created or played, the minimum is `minSaverPlay`. */
  minSaverSeconds: 2,
  maxSaverSeconds: 60,
  minSaverPlay: 5,
  /** The player's initial value. */
  saverPlaySeconds: 15,
  saverAttempts: 3,
  /** The browser's face model. The number increases if old faces cannot be compared with new ones. */
  faceModel: 'human-faceres-1',
  faces: {
    /** Number of values in a vector of that model. */
    numbers: 1024,
    /** The detector's configured confidence, also required of grouped faces; each run uses the slider / 10. */
    confidence: 0.7,
    minSlider: 1,
    maxSlider: 10,
    slider: 5,
    /** Maximum number of faces per picture. */
    maxPerPicture: 100,
    /** Maximum number of suggestions for a face, and how many of each person's most similar faces count. */
    top: 5,
    /** Constants of `similarity` in schema/faces.ts: the Minkowski distance, and the range that is mapped to 0–1. */
    order: 2,
    multiplier: 20,
    min: 0.2,
    max: 0.8,
    /** Two faces match above this value, which the model's authors recommend. */
    match: 0.5,
    /** A person is named automatically if more faces than this match. */
    matchesForName: 5,
    /** Boxes are the same if their edges differ by at most this, in thousandths, or if their overlap reaches this. */
    tolerance: 5,
    overlap: 0.4,
    /** A face joins a group when its mean similarity to the group's faces reaches this. */
    sameGroup: 0.56,
    /** Maximum number of faces that one call names, or splits from a group. */
    atOnce: 500,
    groupsShown: 30,
    /** Maximum number of groups that one call merges. */
    groupsAtOnce: 100,
    /** Number of faces of each group in the list. */
    groupShows: 8,
  },
  /** The file manager: maximum search results, entries chosen at once, and bytes of a saved text. */
  maxFileSearch: 5_000,
  maxFileItems: 10_000,
  fileTextBytes: 16 * 1024 ** 2,
  recycledDays: 30,
  /** Maximum number of items and of changes in one bulk edit. */
  maxBulkItems: 200_000,
  /** 200 years. */
  maxShiftSeconds: 200 * 366 * 86_400,
  maxFavourites: 2000,
  /** Links: maximum number per user, of chosen items per link, and of characters of a title and a password. */
  maxLinks: 1000,
  maxLinkItems: 5000,
  linkTitleLength: 100,
  linkPasswordLength: 100,
  /** Wrong passwords of a link a minute: from one address, and in all. */
  linkFailuresAMinute: { address: 5, all: 50 },
  /** Seconds that an ended link is kept, and the latest end of a link. */
  endedLinkSeconds: 30 * 86_400,
  maxLinkSeconds: 2 * 366 * 86_400,
  maxAlbums: 5000,
  albumNameLength: 100,
  albumDescriptionLength: 2000,
  maxAlbumMembers: 100,
  maxBulkChanges: 50,
  /** Limits of a websocket connection, and of the server. */
  realtime: {
    frameBytes: 64 * 1024,
    subscriptions: 200,
    messagesASecond: 20,
    /** Calls of plugins that run at once. */
    calls: 16,
    /** Maximum time until authentication. */
    authenticateMs: 10_000,
    /** Bytes that may wait for a slow reader; above this, the connection is closed. */
    waitingBytes: 1024 * 1024,
    /** Maximum number of events sent after a reconnect; a client that missed more reloads everything. */
    missedEvents: 2_000,
    connections: 10_000,
    /** Maximum connections from one address that have not signed in. */
    visitorsOfAddress: 50,
    /** Number of connections that only signed-in users may use. */
    reserve: 500,
  },
  plugins: {
    manifestBytes: 256 * 1024,
    fileBytes: 16 * 1024 * 1024,
    resultBytes: 1024 * 1024,
    /** A method that takes longer than this should be a job. */
    answerMs: 60_000,
  },
  /** After a jump of the clock, an automatic purge removes at most this many items per run. */
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
  /** Maximum number of files and folders in one drop; not in the specification. */
  droppedMost: 10_000,
} as const

/** Tag sets that a search may include; the first three are the default. */
export const searchableTags = ['Keywords', 'Category', 'People', 'Author'] as const
export type SearchableTag = (typeof searchableTags)[number]
export const defaultSearchTags: readonly SearchableTag[] = ['Keywords', 'Category', 'People']

/** Tag sets, by their names in addresses. Their order is part of stored ids: append only. */
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
/** The form of an album's `uid`. */
export const albumUid = /^[A-Za-z0-9_-]{8,40}$/

/** Orders of an album; 'hand' is only for albums by hand. */
export const albumSorts = [...itemSorts, 'hand'] as const
