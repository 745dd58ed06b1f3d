/** `GET` of it and a name: when the caller of that name went, once it has. */
export const DEPARTURE_PATH = '/departures/'
