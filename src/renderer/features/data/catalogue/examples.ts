type Input = Readonly<Record<string, unknown>>

/**
 * How a lookup may be asked, by the end of its path. What these take is not specified, and each provider names its fields itself:
 * the examples are what is usual there, for a person to begin with.
 */
const examples: readonly (readonly [RegExp, Input])[] = [
  [/\/text-search\/(?:full|partial)$/, { textQuery: 'bookshops in Lisbon', maxResultCount: 5 }],
  [/\/nearby-search\/(?:full|partial)$/, { locationRestriction: { circle: { center: { latitude: 38.7169, longitude: -9.1399 }, radius: 500 } }, maxResultCount: 5 }],
  [/\/place-details\/(?:full|partial)$/, { placeId: 'ChIJO_PkYRozGQ0R0DaQ5L3rAAQ' }],
  [/\/people-search$/, { q_keywords: 'lighthouse engineer', person_locations: ['Lisbon, Portugal'], per_page: 10 }],
  [/\/org-search$/, { q_organization_name: 'Example', per_page: 10 }],
  [/\/people-enrich$/, { email: 'ada@example.com' }],
  [/\/org-enrich$/, { domain: 'example.com' }],
  [/\/find-similar$/, { url: 'https://example.com', numResults: 5 }],
  [/\/contents$/, { urls: ['https://example.com'], text: true }],
  [/\/answer$/, { query: 'When was the first lighthouse built?' }],
  [/\/scrape$/, { url: 'https://example.com', formats: ['markdown'] }],
  [/\/contacts-enrich$/, { email: 'ada@example.com' }],
  [/\/profile-scrape$/, { profile_url: 'https://example.com/in/ada' }],
  [/\/(?:news|shopping)$/, { q: 'lighthouses', num: 10 }],
  [/\/post-comments$/, { url: 'https://example.com/post/1' }],
  [/\/person-search$/, { name: 'Ada Adagio', city: 'Lisbon' }],
  [/\/property-search$/, { street: '1 Example Street', city: 'Lisbon' }],
  [/\/email-verifier$/, { email: 'ada@example.com' }],
  [/\/enrich-by-email$/, { email: 'ada@example.com' }],
  [/\/enrich-by-social$/, { platform: 'youtube', username: 'example' }],
  [/^\/x\/tweets\/search$/, { words: 'lighthouses', minLikes: 10 }],
  [/^\/x\/users\/by\/username$/, { username: 'example' }],
  [/^\/x\/(?:tweets\/user|users\/(?:followers|following|by\/id))$/, { id: '12' }],
  [/^\/x\/users\/search$/, { query: 'lighthouses' }],
  [/^\/x\//, { id: '20' }],
  [/\/search$/, { query: 'restoring old lighthouses', numResults: 5 }],
]

export function exampleOf({ path }: { readonly path: string }): Input {
  return examples.find(([ends]) => ends.test(path))?.[1] ?? { query: 'lighthouses' }
}

export function asText(input: Input): string {
  return JSON.stringify(input, undefined, 2)
}
