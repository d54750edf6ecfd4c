/** Business constants of the specification and of the decisions, under the names that code on both ends uses. */

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
  /**
   * Of a name at an address; and where that name has not signed in from that address before: of the address, of the name,
   * and of all names and addresses together.
   */
  loginFailuresAMinute: { pair: 5, address: 10, name: 10, all: 100 },
  /** Wrong passwords that a signed-in user gives for their own profile. */
  ownPasswordFailuresAMinute: 10,
  /** New accounts: from one address, and in all. */
  registrationsAMinute: 10,
  registrationsOfAllAMinute: 100,
  pageSize: 10,
  pageSizes: [10, 50, 100, 500],
  /** People of the administration. */
  peoplePageSize: 15,
  /** Years of names; a birthdate ends with the year that it is. */
  personYearLeast: 1700,
  personYearMost: 2050,
  /** Transfer Items, while a collection is chosen; else a page has `pageSize`. */
  transferPageSize: 100,
  transferItemsMost: 100_000,
  /** A list has at most this many items at once. */
  pageSizeMost: 5000,
  pagesShown: 9,
  /** Selecting everything that a filter leaves requests this many at once. */
  selectPageSize: 200,
  geojsonPageSize: 5000,
  /** Clusters of the map: pixels, zoom; where their colours change; and how close a jump comes. */
  map: {
    clusterRadius: 50,
    clusterMaxZoom: 14,
    clusterColours: [100, 750],
    jumpZoom: 13,
    searchZoom: 16,
    popupWidth: 350,
    /** Positions that are held at once; of more, those in the part that is looked at. */
    pointsMost: 200_000,
  },
  /** Location filter: in metres or kilometres; what it starts with, and what a reset sets. */
  radiusLeast: 0.1,
  radiusMost: 1000,
  radiusMetres: 1000,
  radiusReset: 100,
  /** The range in the sidebar begins at 1 and goes in steps of 1. */
  rangeLeast: 1,
  radiusDebounceMs: 500,
  /** On This Day has at most this many items of all years. */
  onThisDayMost: 5000,
  /** A download has at most this many items and bytes, and this many run at once, for one user and in all. */
  downloadItems: 20_000,
  downloadBytes: 200 * 1024 ** 3,
  downloadsOfOne: 2,
  downloadsOfAll: 6,
  /** A download with more items or bytes is an entry of the audit log. */
  largeDownloadItems: 100,
  largeDownloadBytes: 1000 ** 3,
  /** The audit log keeps entries for this many days, and this many bytes of them. */
  auditDays: 400,
  auditBytes: 100 * 1000 ** 2,
  /** Entries of the audit log that are loaded at once, unless told otherwise and at the most. */
  auditPage: 100,
  auditPageMost: 500,
  /** Characters of an address with its parameters; servers on the way take 16 KB of head in all. */
  addressLength: 14_000,
  /** The moving part of a picture is given without its metadata up to this size, and when that takes no longer. */
  motionBytes: 64 * 1024 ** 2,
  motionSeconds: 120,
  /** Years take this many colours by turns. */
  yearColours: 11,
  suggestionsFrom: 3,
  /** Characters of a keyword, a category or an author: files carry whole captions as such. */
  keystringLength: 4000,
  /** Characters: an object's name and that of a property; its description and a property's value. */
  objectNameLength: 200,
  propertyNameLength: 100,
  objectTextLength: 4000,
  /** A place that is picked from the suggestions is a town: metres around its middle. */
  suggestedRadius: 10_000,
  itemYearLeast: 1800,
  /** The chip of an object waits so long for a second click. */
  chipDoubleClickMs: 200,
  filterYearLeast: 1700,
  statusNotificationMs: 15_000,
  clientToastMs: 5_000,
  registeredDialogMs: 9_000,
  errorMessageMs: 3_000,
  reloadAfterChangeMs: 20_000,
  loadingFlagMs: 500,
  /** A list that has to be loaded again waits so long for further reasons. */
  windowRefreshMs: 500,
  /** Items per row by width: xs, sm, md, lg, xl, xxl. */
  itemsPerRow: { xs: 1, sm: 2, md: 2, lg: 3, xl: 4, xxl: 6 },
  headerHeight: 48,
  cardHeight: { xs: 430, other: 455 },
  shareHours: [24, 48, 168],
  /** Items that a screen saver gets at once. */
  saverBatch: 20,
  /** Of one account; and of one visitor's browser, whose savers are kept for this many seconds. */
  saversOfUser: 100,
  saversOfVisitor: 3,
  /** Of all visitors together, and how many are made in an hour from one address. */
  saversOfVisitors: 200,
  saversAnHour: 20,
  visitorSaverSeconds: 86_400,
  /** Seconds between pictures of a new saver that says nothing. */
  saverSeconds: 5,
  /** Its sliders: in the settings from 2, when it is made or played from 5; what playing starts with. */
  saverSecondsLeast: 2,
  saverSecondsMost: 60,
  saverPlayLeast: 5,
  saverPlaySeconds: 15,
  /** How often more is requested before a picture is given up. */
  saverAttempts: 3,
  /**
   * The model of faces whose sender names none: the browser's. Its number counts up when the model or how it is used changes
   * so much that the old faces can't be compared with the new.
   */
  faceModel: 'human-faceres-1',
  faces: {
    /** Numbers of a vector of that model. */
    numbers: 1024,
    /** What the detector is configured with; each time that somebody looks, it is the slider / 10. */
    confidence: 0.7,
    sliderLeast: 1,
    sliderMost: 10,
    slider: 5,
    /** On one picture. */
    most: 100,
    /** People that are suggested for a face, and the most similar faces of each that count. */
    top: 5,
    /** Likeness of two faces: Minkowski's distance of that order, times so much, brought from `min`–`max` to 0–1. */
    order: 2,
    multiplier: 20,
    min: 0.2,
    max: 0.8,
    /** Two faces match above this: the model's authors' own word for it. */
    match: 0.5,
    /** Somebody is named without being asked when more faces than these match. */
    matchesForName: 5,
    /** Edges of boxes that are the same differ by at most so much, in thousandths; or the boxes overlap so far. */
    tolerance: 5,
    overlap: 0.4,
    /** A face joins a group when it is so much like its faces, on average. */
    sameGroup: 0.56,
    /** Faces that are named, or split from a group, in one call. */
    atOnce: 500,
    groupsShown: 30,
    /** Groups that are merged in one call. */
    groupsAtOnce: 100,
    /** Faces that the list of groups shows of each. */
    groupShows: 8,
  },
  /** The file manager: what a search tells, what is chosen at once, and bytes of a text that is saved, at most. */
  fileSearchMost: 5_000,
  fileItemsMost: 10_000,
  fileTextBytes: 16 * 1024 ** 2,
  recycledDays: 30,
  /** Items and changes of one bulk edit. */
  bulkItemsMost: 200_000,
  bulkChangesMost: 50,
  /** The websocket: of one connection, and of the server. */
  realtime: {
    frameBytes: 64 * 1024,
    subscriptions: 200,
    messagesASecond: 20,
    /** Calls of plugins that run at once. */
    calls: 16,
    /** Until it must have said who it is. */
    authenticateMs: 10_000,
    /** What waits for a reader who does not read; with more the connection is closed. */
    waitingBytes: 1024 * 1024,
    /** Events that are handed over afterwards; whoever missed more loads again. */
    missedEvents: 2_000,
    connections: 10_000,
    /** Of connections that have not signed in: from one address; and how many of all are kept free for those who have. */
    visitorsOfAddress: 50,
    reserve: 500,
  },
  plugins: {
    manifestBytes: 256 * 1024,
    fileBytes: 16 * 1024 * 1024,
    resultBytes: 1024 * 1024,
    /** A method that answers later than this should be a long one. */
    answerMs: 60_000,
  },
  /** After the clock has jumped a purge that nobody requested takes at most this many items a run. */
  purgedUnasked: 100,
} as const

/** The widget of the file manager. */
export const fileWidget = {
  toastMs: 5_000,
  searchDebounceMs: 400,
  longPressMs: 500,
  breadcrumbMost: 5,
  gridNameCharacters: 14,
  maxFileSize: '10mb',
  maxHeight: '400px',
  explorerLeastPx: 150,
  thumbnailAheadPx: 300,
  crop: { width: 795, height: 341 },
  viewModeMost: 3,
  imageMost: '50vh',
  pdfHeight: '60vh',
  startPath: '/',
  /** Files and folders of one drop; not of the specification. */
  droppedMost: 10_000,
} as const

/** Tag sets that a search may look in; the first three are searched unless the caller says otherwise. */
export const searchableTags = ['Keywords', 'Category', 'People', 'Author'] as const
export type SearchableTag = (typeof searchableTags)[number]
export const defaultSearchTags: readonly SearchableTag[] = ['Keywords', 'Category', 'People']

/** Tag sets that are written whole, by their names in addresses. */
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
