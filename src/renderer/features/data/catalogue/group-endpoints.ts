import { t } from '@lingui/core/macro'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'

/** The specification's names for its groups. Other groups have the service's names. */
const groupNames: Readonly<Record<string, string>> = {
  get maps() {
    return t`Maps`
  },
  get people() {
    return t`People and organizations`
  },
  get websearch() {
    return t`Web search`
  },
  get webscrape() {
    return t`Web pages`
  },
  get contacts() {
    return t`Contacts`
  },
  get serp() {
    return t`News and shopping`
  },
  get forum() {
    return t`Forum`
  },
  get records() {
    return t`Public records`
  },
  get emailcheck() {
    return t`Email addresses`
  },
  get creator() {
    return t`Creators`
  },
  get microblog() {
    return t`Microblog`
  },
}

export interface EndpointGroup {
  readonly id: string
  readonly name: string
  readonly endpoints: readonly DataEndpoint[]
}

export function idOf({ method, path }: Pick<DataEndpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** The endpoint's name from the service, or else a name from its path. */
export function endpointName({ name, path }: Pick<DataEndpoint, 'name' | 'path'>): string {
  return name ?? path.replace(/^\/(?:api\/[^/]+|x)\//, '').replaceAll(/[-/]/g, ' ')
}

function groupOf({ group, path }: Pick<DataEndpoint, 'group' | 'path'>): string {
  return group ?? (path.startsWith('/x/') ? 'microblog' : (path.split('/')[2] ?? ''))
}

function groupName(id: string): string {
  return Object.hasOwn(groupNames, id) ? (groupNames[id] ?? id) : id
}

/** The endpoints that contain every word, in the order of the listing. */
export function grouped(endpoints: readonly DataEndpoint[], text: string): readonly EndpointGroup[] {
  const terms = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = endpoints.filter((endpoint) => {
    const searchable = [
      endpoint.method,
      endpoint.path,
      endpointName(endpoint),
      endpoint.description ?? '',
      groupName(groupOf(endpoint)),
    ]
      .join(' ')
      .toLowerCase()
    return terms.every((word) => searchable.includes(word))
  })
  return [...Map.groupBy(found, groupOf)].map(([id, members]) => ({
    id,
    name: groupName(id),
    endpoints: members,
  }))
}
