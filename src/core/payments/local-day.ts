const DAY_MS = 86_400_000
/** No zone is further from UTC than 14 hours; the rest covers a day that a zone skipped, such as Samoa's 2011-12-30. */
const FURTHEST_MS = 40 * 3_600_000

/**
 * Formats dates in zones. One formatter is created for each zone, because creating one costs more than all of
 * its uses in a minute.
 */
const formatters = new Map<string | undefined, Intl.DateTimeFormat>()

/**
 * Returns the name of the zone that the system uses now.
 * @returns undefined if the system has a zone without a name, such as `TZ=UTC+3`; the functions below then
 * use the system's own
 */
export function systemZone(): string | undefined {
  const { timeZone }: { timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'Etc/Unknown' ? undefined : timeZone
}

/**
 * Returns the calendar day of a moment in a zone.
 * @param at Unix ms
 * @param zone IANA name; undefined for the system's own
 * @returns the number of days from 1970-01-01 to that date. Dates have no hours, so arithmetic on these
 * numbers is right across DST
 */
export function localDayOf(at: number, zone: string | undefined): number {
  let [year, month, day] = [0, 0, 0]
  for (const { type, value } of formatterOf(zone).formatToParts(at)) {
    if (type === 'year') year = Number.parseInt(value, 10)
    else if (type === 'month') month = Number.parseInt(value, 10)
    else if (type === 'day') day = Number.parseInt(value, 10)
  }
  return Date.UTC(year, month - 1, day) / DAY_MS
}

/**
 * Returns the first moment of a calendar day in a zone. Some zones skip midnight, so this searches for it
 * instead of adding an offset.
 * @param day days from 1970-01-01
 * @param zone IANA name; undefined for the system's own
 * @returns Unix ms
 */
export function startOfLocalDay(day: number, zone: string | undefined): number {
  let before = day * DAY_MS - FURTHEST_MS
  let within = day * DAY_MS + FURTHEST_MS
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (localDayOf(middle, zone) < day) before = middle
    else within = middle
  }
  return within
}

function formatterOf(zone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const created = new Intl.DateTimeFormat('en-US', {
    ...(zone !== undefined && { timeZone: zone }),
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  formatters.set(zone, created)
  return created
}
