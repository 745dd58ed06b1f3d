/** A data enrichment endpoint (specification, Data enrichment): its path below `/v1/data` and its method. */
export interface DataEndpointId {
  readonly group: string
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** The revisions that have it. */
  readonly revisions: 'A' | 'AB'
}

const both = (group: string, method: 'GET' | 'POST', ...names: string[]): DataEndpointId[] =>
  names.map((name) => ({ group, path: `/api/${group}/${name}`, method, revisions: 'AB' }))

/** 27 endpoints of both revisions, and the 12 of the microblog group that only A has. */
export const dataEndpoints: readonly DataEndpointId[] = [
  ...both(
    'maps',
    'POST',
    'text-search/full',
    'text-search/partial',
    'nearby-search/full',
    'nearby-search/partial',
  ),
  ...both('maps', 'GET', 'place-details/full', 'place-details/partial'),
  ...both('people', 'POST', 'people-search', 'org-search', 'people-enrich', 'org-enrich'),
  ...both('websearch', 'POST', 'search', 'find-similar', 'contents', 'answer'),
  ...both('webscrape', 'POST', 'scrape', 'search'),
  ...both('contacts', 'POST', 'contacts-enrich', 'profile-scrape'),
  ...both('serp', 'POST', 'news', 'shopping'),
  ...both('forum', 'POST', 'search', 'post-comments'),
  ...both('records', 'POST', 'person-search', 'property-search'),
  ...both('emailcheck', 'POST', 'email-verifier'),
  ...both('creator', 'POST', 'enrich-by-email', 'enrich-by-social'),
  ...[
    'tweets/search',
    'tweets/by/id',
    'tweets/user',
    'tweets/replies',
    'tweets/quote_tweets',
    'tweets/retweeted_by',
    'users/search',
    'users/by/id',
    'users/by/username',
    'users/followers',
    'users/following',
    'lists/by/id',
  ].map((name): DataEndpointId => ({
    group: 'microblog',
    path: `/x/${name}`,
    method: 'GET',
    revisions: 'A',
  })),
]

/** Returns the endpoints of one revision. */
export function dataEndpointsOf(revision: 'A' | 'B'): DataEndpointId[] {
  return dataEndpoints.filter(({ revisions }) => revisions.includes(revision))
}
