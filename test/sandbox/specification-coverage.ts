/** `file: title of the test`, as it stands in the file. */
export type NamedTest = `${string}: ${string}`

const keys = (title: string): NamedTest => `keys: ${title}`
const history = (title: string): NamedTest => `history: ${title}`
const topup = (title: string): NamedTest => `topup: ${title}`
const perRequest = (title: string): NamedTest => `pay-per-request: ${title}`
const wallet = (title: string): NamedTest => `automatic-topup: ${title}`
const chat = (title: string): NamedTest => `chat: ${title}`
const service = (title: string): NamedTest => `service: ${title}`
const description = (title: string): NamedTest => `description: ${title}`

function each(section: string, rows: readonly string[], tests: readonly NamedTest[]): Record<string, readonly NamedTest[]> {
  return Object.fromEntries(rows.map((row) => [`${section} / ${row}`, tests]))
}

const account = service('an account is made and can be asked for its balance in three ways')
const created = keys('shows the whole key, this once, with the fields of the specification')
const listed = keys('shows all fields but the value, and the value where it is asked for')
const single = keys('of one key: its subset, and the value where it is asked for')
const changed = keys('changes what is named, and null clears')
const badKey = keys('400 that names %s for %j')
const record = history('a record has the fields of the specification, and costs what was debited')
const connected = wallet('keeps the settings, with their defaults, and never shows the secret')
const badWallet = wallet('400 that names %s for %j')
const listing = service('the listing is filtered by type, and private models stand in it only among all')
const revisions = description('private models and their paths: absent in A, present in B')

const resources = 'Resources and their fields'
const keyObject = `${resources} / API key object`
const open = `${resources} / Shapes left open`
const states = 'States and transitions'
const historyRows = 'Endpoints / Query history'
const keyRows = 'Endpoints / API keys'

/** Rows by the beginning of their id, which must lead to one row alone, and the tests that would fail without it. */
export const covered: Readonly<Record<string, readonly NamedTest[]>> = {
  ...each(`${resources} / Account`, ['credit_id', 'api_key'], [account]),
  ...each(keyObject, ['_id', 'usage_limit_usd', 'expire_at', 'created_at'], [created, listed]),
  ...each(keyObject, ['name'], [badKey, keys('1 and 25 characters, the least cap, and no cap are taken'), keys('a name is unique on its account and not beyond it')]),
  ...each(keyObject, ['api_key'], [created, listed, single]),
  ...each(keyObject, ['current_period_usage_usd', 'total_usage_all_time_usd'], [listed, keys('another reset period sets what was used in the period to 0, and only that')]),
  ...each(keyObject, ['reset_period', 'reset_at'], [created, keys('%s: what was used starts anew when the clock says so')]),
  ...each(keyObject, ['updated_at'], [changed]),
  ...each(keyObject, ['deleted_at'], [keys('stops the key at once, keeps its record, and cannot be undone')]),
  ...each(keyObject, ['list:'], [listed]),
  ...each(keyObject, ['create:'], [created]),
  ...each(keyObject, ['get one:'], [single]),
  ...each(keyObject, ['update:'], [changed]),
  ...each(`${resources} / Query record (history)`, ['timestamp', 'model', 'input_count', 'output_count', 'price_in_usd', 'query_type', 'query_source', 'api_key_id', 'isOnline', 'isFreeModel'], [record]),
  ...each(`${resources} / Automatic topup settings (NWC wallet)`, ['nwc_url'], [connected, wallet('a wallet that cannot pay, speaks no NIP-44, says nothing of itself, or is not there: 422')]),
  ...each(`${resources} / Automatic topup settings (NWC wallet)`, ['threshold_usd', 'topup_amount_usd'], [connected, badWallet]),
  ...each(open, ['Other account', 'Balance response'], [account]),
  ...each(open, ['Topup invoice'], [topup('is New, and Settled once it is paid: the preimage proves it and the account has the money')]),
  ...each(open, ['Payment-methods'], [topup('the methods are listed with limits and currencies, to anybody')]),
  ...each(open, ['NWC settings'], [connected]),
  ...each(open, ['Chat completion'], [chat('streams the same answer, with usage where it is asked for')]),
  ...each(open, ['Models listing'], [service('an entry has the nine attributes, and prices are written in the three ways that were seen')]),
  ...each(open, ['Allowed values'], [history('by model, source and type')]),

  ...each(`${states} / API key`, ['(none)'], [created]),
  ...each(`${states} / API key`, ['active'], [keys('stops the key at once, keeps its record, and cannot be undone')]),
  ...each(`${states} / Automatic topup connection`, ['disconnected'], [connected]),
  ...each(`${states} / Automatic topup connection`, ['connected | Balance'], [wallet('a balance that falls below the threshold is topped up from the wallet, and recorded'), wallet('is done once, however many requests push the balance down')]),
  ...each(`${states} / Automatic topup connection`, ['connected | DELETE'], [wallet('ends when the wallet is disconnected')]),

  ...each('Endpoints / Chat', ['`POST /chat/completions`'], [chat('the account’s own id and x-api-key open the door too'), 'control: make one route answer %j, which debits nothing']),
  ...each('Endpoints / Chat', ['model*'], [chat('a private model in the open, an unknown one, one of another kind')]),
  ...each('Endpoints / Chat', ['messages*'], [chat('%s: 400')]),
  ...each('Endpoints / Chat', ['Model identifiers that begin'], [chat('a private model in the open, an unknown one, one of another kind'), listing]),
  ...each('Endpoints / Chat', ['Request fields other'], [chat('max_tokens and stop end the answer'), chat('tool_choice decides over the prompt')]),
  ...each('Endpoints / Models', ['`GET /v1/models`'], [listing, service('an entry has the nine attributes, and prices are written in the three ways that were seen')]),
  ...each('Endpoints / Models', ['type'], [listing]),

  ...each('Endpoints / Account funding and balance', ['POST /topup/create'], [
    topup('is an invoice of regtest that another decoder reads: amount, hash, expiry, signature'), topup('%s: an address of a test network whose checksum holds'),
    topup('xmr: a stagenet address whose checksum holds, whatever bytes it is made of'), topup('%s with %j %s: 400 that names the amount'),
  ]),
  ...each('Endpoints / Account funding and balance', ['GET /topup/status'], [topup('expires by the clock, cannot be paid then, and is forgotten three days later'), topup('a method that is none, and an invoice of another account')]),
  ...each('Endpoints / Account funding and balance', ['GET /topup/payment-methods'], [topup('the methods are listed with limits and currencies, to anybody')]),
  ...each('Endpoints / Account funding and balance', ['POST /accounts/create', 'POST /credits/balance'], [account]),
  ...each('Endpoints / Automatic topup', ['POST /nwc-auto-topup/connect'], [connected, badWallet]),
  ...each('Endpoints / Automatic topup', ['GET /nwc-auto-topup'], [connected]),
  ...each('Endpoints / Automatic topup', ['DELETE /nwc-auto-topup/connection'], [wallet('ends when the wallet is disconnected')]),
  ...each(historyRows, ['`GET /queries/history`'], [record]),
  ...each(historyRows, ['credit_id', 'api_key'], [history('the account’s id sees all, or one key by its value or its _id'), history('each of the two filters is for one credential alone')]),
  ...each(historyRows, ['all_keys'], [history('a key sees its own queries, by either header, and all of the account where it asks'), history('each of the two filters is for one credential alone')]),
  ...each(historyRows, ['start_date', 'end_date'], [history('by date: on or after, on or before, the whole day')]),
  ...each(historyRows, ['model', 'query_source', 'query_type'], [history('by model, source and type')]),
  ...each(historyRows, ['page |', 'page_count'], [history('by page'), history('%s: 400')]),
  ...each(keyRows, ['GET /keys |'], [keys('leaves revoked keys out, unless they are asked for'), listed]),
  ...each(keyRows, ['POST /keys'], [created]),
  ...each(keyRows, ['GET /keys/{id}'], [single]),
  ...each(keyRows, ['PATCH /keys/{id}'], [changed, keys('%i that names %s for %j')]),
  ...each(keyRows, ['DELETE /keys/{id}', 'The revoke message'], [keys('stops the key at once, keeps its record, and cannot be undone')]),
  ...each(keyRows, ['name*', 'usage_limit_usd', 'reset_period', 'expire_at'], [badKey, keys('1 and 25 characters, the least cap, and no cap are taken')]),
  ...each(keyRows, ['A null value'], [changed]),
  ...each(keyRows, ['Changing `reset_period`'], [keys('another reset period sets what was used in the period to 0, and only that')]),

  ...each('Authentication', ['Account identifier'], [keys('only who shows the account’s id: a key does not manage keys'), wallet('all three are for who shows the account’s id'), history('nobody sees another account'), account]),
  ...each('Authentication', ['Account creation'], [account]),
  ...each('Authentication', ['Per-request payment', 'The client calls a payable', 'The service answers 402'], [perRequest('is answered with a challenge in the observed form, and a real invoice of the price')]),
  ...each('Authentication', ['The client pays the invoice', 'The service verifies'], [perRequest('%s is answered, once, with a receipt'), perRequest('holds for the identical request alone: method, path, query and body')]),
  ...each('Authentication', ['The 402 flow is triggered'], [perRequest('a request with a key is never challenged, whatever is wrong with the key')]),

  ...each('Errors', ['Payable endpoint called'], [perRequest('is answered with a challenge in the observed form, and a real invoice of the price')]),
  ...each('Errors', ['Revoked key used'], [keys('stops the key at once, keeps its record, and cannot be undone')]),

  ...each('Limits', ['API key name', 'Key spending cap', 'Key expiry'], [badKey, keys('1 and 25 characters, the least cap, and no cap are taken')]),
  ...each('Limits', ['Automatic topup threshold', 'Automatic topup amount'], [connected, badWallet]),
  ...each('Limits', ['History page size'], [history('%s: 400'), history('the largest page is taken, and both path forms answer')]),
  ...each('Limits', ['Signed media URL lifetime'], ['signed-urls: carries a signature and an expiry, and holds for 24 hours']),

  ...each('Versioning', ['Most endpoints carry'], [
    keys('both path forms lead to the same keys'), topup('both path forms lead to the same invoice'), history('the largest page is taken, and both path forms answer'), connected,
    'control: make one route answer %j, which debits nothing',
  ]),
  ...each('Versioning', ['Two revisions'], [revisions]),
  ...each('Versioning', ['Media model listing'], [description('media models: a listing of their own in A, a filter in B')]),
  ...each('Versioning', ['Private enclave chat models'], [revisions]),
}

/** Rows that ask nothing of a service, by the beginning of their id, and why. */
export const askNothing: Readonly<Record<string, string>> = {
  'Endpoints / Chat / Which search engine': 'the specification leaves it open',
  'Endpoints / Videos / Clients poll every': 'it is for clients',
  'Limits / Video poll interval': 'it is for clients',
}

/** Set when audio, images, videos, data, embeddings and web search are served: `notYet` must be empty then. */
export const mediaIsServed: boolean = false

/** Rows of media, data, embeddings and web search, by the beginning of their ids: each leads to one row or several. */
export const notYet: readonly string[] = [
  `${resources} / Image result`, `${resources} / Video job`, `${states} / Video job`,
  'Endpoints / Chat / plugins', 'Endpoints / Chat / When `plugins`', 'Limits / Web search results',
  'Endpoints / Audio', 'Limits / Audio file size', 'Limits / Speech input length', 'Versioning / Audio base address', 'Versioning / Speech providers',
  'Endpoints / Images', 'Limits / Images per request', 'Versioning / Images per request', 'Versioning / Extra image parameters', 'Versioning / Image editing endpoint',
  'Endpoints / Videos / `', 'Endpoints / Videos / model', 'Endpoints / Videos / prompt', 'Endpoints / Videos / aspect_ratio', 'Endpoints / Videos / duration',
  'Endpoints / Videos / quality', 'Endpoints / Videos / image_url', 'Endpoints / Videos / Returns', 'Endpoints / Videos / Status 202', 'Errors / Video',
  'Endpoints / Data enrichment', 'Versioning / Data endpoints',
  'Endpoints / Embeddings', 'Limits / Embedding max tokens',
  // They name routes of both halves.
  'Authentication / API key: header', 'Authentication / Unauthenticated endpoints', 'Authentication / Payable endpoints', 'Authentication / Data enrichment',
  'Authentication / Image', 'Authentication / Video generation', 'Authentication / A video job',
]
