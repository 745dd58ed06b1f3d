import type { DataEndpoint } from './endpoints.ts'
import { Invention } from './invention.ts'

/**
 * Creates the response from the request and fictional data. The same request always gets the same response.
 */
export function payloadOf(
  { kind, path }: DataEndpoint,
  parameters: Readonly<Record<string, unknown>>,
): object {
  const subject = subjectOf(parameters)
  const invent = new Invention(`${path}\n${JSON.stringify(parameters)}`)
  const many = <T>(make: (at: number) => T, count = countOf(parameters)): T[] =>
    Array.from({ length: count }, (_, at) => make(at))
  const full = !path.endsWith('/partial')
  switch (kind) {
    case 'places':
      return { places: many(() => placeIn(invent, subject, full)) }
    case 'place':
      return { ...placeIn(invent, subject, full), id: subject }
    case 'people':
      return { people: many(() => person(invent)), pagination: pagination(parameters) }
    case 'organizations':
      return { organizations: many(() => organization(invent)), pagination: pagination(parameters) }
    case 'person':
      return { person: { ...person(invent), email_status: 'verified', phone_numbers: [invent.phone()] } }
    case 'organization':
      return { organization: organization(invent) }
    case 'pages':
      return { requestId: invent.id(), results: many((at) => page(invent, subject, at)) }
    case 'contents':
      return {
        requestId: invent.id(),
        results: many((at) => ({ ...page(invent, subject, at), text: prose(subject) }), 1),
      }
    case 'answer':
      return { answer: prose(subject), citations: many((at) => page(invent, subject, at), 3) }
    case 'scraped':
      return {
        success: true,
        data: {
          markdown: `# ${subject}\n\n${prose(subject)}`,
          metadata: { title: subject, statusCode: 200, language: 'en' },
        },
      }
    case 'news':
      return {
        news: many((at) => ({
          title: headline(subject, at),
          link: address(invent),
          snippet: prose(subject),
          date: invent.date(),
          source: invent.organization().name,
          position: at + 1,
        })),
      }
    case 'products':
      return {
        shopping: many((at) => ({
          title: `${subject}, model ${at + 1}`,
          source: invent.organization().name,
          link: address(invent),
          price: `$${(invent.below(20_000) / 100).toFixed(2)}`,
          rating: 3 + invent.below(20) / 10,
          position: at + 1,
        })),
      }
    case 'posts':
      return {
        posts: many((at) => ({
          id: invent.id(),
          title: headline(subject, at),
          author: invent.name().first.toLowerCase(),
          score: invent.below(900),
          num_comments: invent.below(80),
          created_utc: invent.date(),
        })),
      }
    case 'comments':
      return {
        comments: many(() => ({
          id: invent.id(),
          author: invent.name().first.toLowerCase(),
          body: prose(subject),
          score: invent.below(90),
          created_utc: invent.date(),
        })),
      }
    case 'residents':
      return {
        results: many(() => ({
          id: invent.id(),
          name: nameOf(invent),
          age_range: '30-40',
          current_addresses: [invent.street()],
          phones: [invent.phone()],
        })),
      }
    case 'properties':
      return {
        results: many(() => ({
          id: invent.id(),
          address: invent.street(),
          year_built: 1900 + invent.below(120),
          owners: [nameOf(invent)],
        })),
      }
    case 'email':
      return emailCheck(subject)
    case 'creator':
      return {
        creator: {
          ...person(invent),
          platforms: [
            {
              platform: 'sandbox',
              followers: invent.below(100_000),
              engagement_rate: invent.below(90) / 1000,
            },
          ],
        },
      }
    case 'tweets':
      return wrapped({
        data: many((at) => tweet(invent, subject, at)),
        meta: { result_count: countOf(parameters), next_token: invent.id() },
      })
    case 'tweet':
      return wrapped({ data: tweet(invent, subject, 0) })
    case 'users':
      return wrapped({
        data: many(() => user(invent)),
        meta: { result_count: countOf(parameters), next_token: invent.id() },
      })
    case 'user':
      return wrapped({ data: user(invent) })
    case 'list':
      return wrapped({
        data: { id: subject, name: 'Sandbox list', member_count: invent.below(200), private: false },
      })
  }
}

/** Observed: this group answers with JSON in a text. */
function wrapped(value: object): object {
  return { content: JSON.stringify(value) }
}

/** The first text that was asked with. */
function subjectOf(parameters: Readonly<Record<string, unknown>>): string {
  const texts = Object.values(parameters)
    .flat()
    .filter((value) => typeof value === 'string')
  return (texts[0] ?? 'the sandbox').slice(0, 200)
}

function countOf(parameters: Readonly<Record<string, unknown>>): number {
  const asked = ['per_page', 'limit', 'numResults', 'maxResultCount', 'max_results']
    .map((name) => Number(parameters[name]))
    .find((value) => Number.isInteger(value) && value > 0)
  return Math.min(asked ?? 5, 100)
}

function pagination(parameters: Readonly<Record<string, unknown>>): object {
  return { page: 1, per_page: countOf(parameters), total_entries: 3 * countOf(parameters), total_pages: 3 }
}

function placeIn(invent: Invention, subject: string, full: boolean): object {
  const { name, domain } = invent.organization()
  const few = {
    id: invent.id(),
    displayName: { text: `${name} (${subject.slice(0, 60)})`, languageCode: 'en' },
    formattedAddress: invent.street(),
    location: { latitude: invent.below(1800) / 10 - 90, longitude: invent.below(3600) / 10 - 180 },
  }
  return full
    ? {
        ...few,
        rating: 3 + invent.below(20) / 10,
        userRatingCount: invent.below(2000),
        nationalPhoneNumber: invent.phone(),
        websiteUri: `https://${domain}`,
        businessStatus: 'OPERATIONAL',
      }
    : few
}

function nameOf(invent: Invention): string {
  const { first, last } = invent.name()
  return `${first} ${last}`
}

function person(invent: Invention): object {
  const { first, last } = invent.name()
  const { name, domain } = invent.organization()
  return {
    id: invent.id(),
    first_name: first,
    last_name: last,
    name: `${first} ${last}`,
    title: invent.title(),
    email: `${first}@${domain}`.toLowerCase(),
    city: 'Sandbox',
    organization: { name, primary_domain: domain },
  }
}

function organization(invent: Invention): object {
  const { name, domain } = invent.organization()
  return {
    id: invent.id(),
    name,
    primary_domain: domain,
    website_url: `https://${domain}`,
    estimated_num_employees: 1 + invent.below(500),
    founded_year: 1950 + invent.below(70),
    phone: invent.phone(),
  }
}

function address(invent: Invention): string {
  return `https://${invent.organization().domain}/${invent.id()}`
}

function page(invent: Invention, subject: string, at: number): object {
  return {
    id: invent.id(),
    title: headline(subject, at),
    url: address(invent),
    publishedDate: invent.date(),
    author: nameOf(invent),
    score: Math.round((0.9 - at * 0.04) * 1000) / 1000,
  }
}

function headline(subject: string, at: number): string {
  const forms = [
    'Facts about',
    'A short history of',
    'Seven questions about',
    'A guide to',
    'The trouble with',
  ] as const
  return `${forms[at % forms.length] ?? forms[0]} ${subject}`
}

function prose(subject: string): string {
  return `This is a simulated answer about ${subject}. A real service would return its result here.`
}

/** Checks only the form. */
function emailCheck(email: string): object {
  const valid = /^[^\s@]{1,64}@[a-z0-9.-]+\.[a-z]{2,}$/i.test(email)
  return {
    email,
    status: valid ? 'valid' : 'invalid',
    score: valid ? 90 : 0,
    mx_records: valid,
    disposable: false,
    free: false,
  }
}

function tweet(invent: Invention, subject: string, at: number): object {
  return {
    id: String(1_000_000 + invent.below(1_000_000_000)),
    text: headline(subject, at),
    author_id: String(invent.below(1_000_000)),
    created_at: invent.date(),
    public_metrics: {
      like_count: invent.below(900),
      reply_count: invent.below(90),
      retweet_count: invent.below(90),
      quote_count: invent.below(9),
    },
  }
}

function user(invent: Invention): object {
  const { first, last } = invent.name()
  return {
    id: String(1000 + invent.below(1_000_000)),
    name: `${first} ${last}`,
    username: `${first}_${last}`.toLowerCase(),
    verified: false,
    public_metrics: {
      followers_count: invent.below(9000),
      following_count: invent.below(900),
      tweet_count: invent.below(5000),
    },
  }
}
