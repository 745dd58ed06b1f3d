import { z } from 'zod'
import type { Revision } from '../sandbox.ts'

/** The kind of an endpoint's response. */
type DataKind =
  | 'places'
  | 'place'
  | 'people'
  | 'organizations'
  | 'person'
  | 'organization'
  | 'pages'
  | 'contents'
  | 'answer'
  | 'scraped'
  | 'news'
  | 'products'
  | 'posts'
  | 'comments'
  | 'residents'
  | 'properties'
  | 'email'
  | 'creator'
  | 'tweets'
  | 'tweet'
  | 'users'
  | 'user'
  | 'list'

export interface DataEndpoint {
  readonly group: string
  /** Below `/v1/data`. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly title: string
  readonly kind: DataKind
  /** 10^-12 USD for each call. */
  readonly picoUsd: bigint
  readonly revision?: Revision
  /** The schemas of the known parameters; others are accepted. */
  readonly parameters: z.ZodType<Readonly<Record<string, unknown>>>
}

const text = z.string().max(2000).optional()
const open = z.looseObject({
  query: text,
  url: text,
  limit: z.coerce.number().int().min(1).max(100).optional(),
})
const peopleSearch = z.looseObject({
  q_keywords: text,
  person_locations: z.array(z.string().max(200)).max(100).optional(),
  per_page: z.int().min(1, 'must be at least 1').max(100, 'must be at most 100').optional(),
})
const maps = z.looseObject({
  textQuery: text,
  locationRestriction: z.looseObject({}).optional(),
  maxResultCount: z.int().min(1).max(20).optional(),
})
const place = z.looseObject({ placeId: z.string().min(1).max(300) })

/** Thousandths of a dollar, as many were observed to cost. */
function endpoint(
  group: string,
  name: string,
  title: string,
  kind: DataKind,
  milliUsd: number,
  rest: Partial<DataEndpoint> = {},
): DataEndpoint {
  return {
    group,
    path: `/api/${group}/${name}`,
    method: 'POST',
    title,
    kind,
    picoUsd: BigInt(Math.round(milliUsd * 1000)) * 1_000_000n,
    parameters: open,
    ...rest,
  }
}

function microblog(name: string, title: string, kind: DataKind): DataEndpoint {
  return {
    ...endpoint('microblog', name, title, kind, 11.5),
    path: `/x/${name}`,
    method: 'GET',
    revision: 'A',
  }
}

/** The table of the specification: 27 in both revisions, and the microblog group in Revision A. */
export const dataEndpoints: readonly DataEndpoint[] = [
  endpoint('maps', 'text-search/full', 'Maps text search, all fields', 'places', 92, { parameters: maps }),
  endpoint('maps', 'text-search/partial', 'Maps text search, few fields', 'places', 23, { parameters: maps }),
  endpoint('maps', 'nearby-search/full', 'Maps nearby search, all fields', 'places', 92, {
    parameters: maps,
  }),
  endpoint('maps', 'nearby-search/partial', 'Maps nearby search, few fields', 'places', 23, {
    parameters: maps,
  }),
  endpoint('maps', 'place-details/full', 'Place details, all fields', 'place', 57.5, {
    method: 'GET',
    parameters: place,
  }),
  endpoint('maps', 'place-details/partial', 'Place details, few fields', 'place', 23, {
    method: 'GET',
    parameters: place,
  }),
  endpoint('people', 'people-search', 'Search people', 'people', 23, { parameters: peopleSearch }),
  endpoint('people', 'org-search', 'Search organizations', 'organizations', 23),
  endpoint('people', 'people-enrich', 'Enrich a person', 'person', 46),
  endpoint('people', 'org-enrich', 'Enrich an organization', 'organization', 46),
  endpoint('websearch', 'search', 'Search the web', 'pages', 11.5),
  endpoint('websearch', 'find-similar', 'Find similar pages', 'pages', 11.5),
  endpoint('websearch', 'contents', 'Contents of pages', 'contents', 2.3),
  endpoint('websearch', 'answer', 'Answer from the web', 'answer', 11.5),
  endpoint('webscrape', 'scrape', 'Scrape a page', 'scraped', 2.3),
  endpoint('webscrape', 'search', 'Search and scrape', 'pages', 4.6),
  endpoint('contacts', 'contacts-enrich', 'Enrich a contact', 'person', 230),
  endpoint('contacts', 'profile-scrape', 'Scrape a profile', 'person', 23),
  endpoint('serp', 'news', 'News results', 'news', 2.3),
  endpoint('serp', 'shopping', 'Shopping results', 'products', 2.3),
  endpoint('forum', 'search', 'Search a forum', 'posts', 4.6),
  endpoint('forum', 'post-comments', 'Comments of a post', 'comments', 4.6),
  endpoint('records', 'person-search', 'Search residents', 'residents', 253),
  endpoint('records', 'property-search', 'Search properties', 'properties', 253),
  endpoint('emailcheck', 'email-verifier', 'Verify an address', 'email', 11.5),
  endpoint('creator', 'enrich-by-email', 'Enrich a creator by email', 'creator', 69),
  endpoint('creator', 'enrich-by-social', 'Enrich a creator by profile', 'creator', 69),
  microblog('tweets/search', 'Search posts', 'tweets'),
  microblog('tweets/by/id', 'A post', 'tweet'),
  microblog('tweets/user', 'Posts of a user', 'tweets'),
  microblog('tweets/replies', 'Replies to a post', 'tweets'),
  microblog('tweets/quote_tweets', 'Quotes of a post', 'tweets'),
  microblog('tweets/retweeted_by', 'Who repeated a post', 'users'),
  microblog('users/search', 'Search users', 'users'),
  microblog('users/by/id', 'A user by id', 'user'),
  microblog('users/by/username', 'A user by name', 'user'),
  microblog('users/followers', 'Followers of a user', 'users'),
  microblog('users/following', 'Whom a user follows', 'users'),
  microblog('lists/by/id', 'A list', 'list'),
]

export function dataEndpointsIn(revision: Revision): DataEndpoint[] {
  return dataEndpoints.filter((each) => each.revision === undefined || each.revision === revision)
}
