/** `file: title of the test`, exactly as the file spells the title. */
export type NamedTest = `${string}: ${string}`

const keys = (title: string): NamedTest => `keys: ${title}`
const history = (title: string): NamedTest => `history: ${title}`
const topup = (title: string): NamedTest => `topup: ${title}`
const perRequest = (title: string): NamedTest => `pay-per-request: ${title}`
const wallet = (title: string): NamedTest => `automatic-topup: ${title}`
const chat = (title: string): NamedTest => `chat: ${title}`
const service = (title: string): NamedTest => `service: ${title}`
const description = (title: string): NamedTest => `description: ${title}`

function each(
  section: string,
  rows: readonly string[],
  tests: readonly NamedTest[],
): Record<string, readonly NamedTest[]> {
  return Object.fromEntries(rows.map((row) => [`${section} / ${row}`, tests]))
}

const account = service('an account is created, and its balance can be requested in three ways')
const created = keys('returns the whole key with the fields of the specification')
const listed = keys('returns all fields but the value, and the value on request')
const single = keys('of one key returns a subset, and the value on request')
const changed = keys('sets the given members, and null clears them')
const badKey = keys('400 and the field %s for %j')
const record = history('a record has the fields of the specification and the debited cost')
const connected = wallet('saves the settings with their defaults, and never shows the secret')
const badWallet = wallet('returns 400 and names %s for %j')
const listing = service('models are filtered by type, and private models are only in the list of all')
const revisions = description('private models and their paths: absent in A, present in B')

const images = (title: string): NamedTest => `images: ${title}`
const videos = (title: string): NamedTest => `videos: ${title}`
const audio = (title: string): NamedTest => `audio: ${title}`
const data = (title: string): NamedTest => `data: ${title}`
const embeddings = (title: string): NamedTest => `embeddings: ${title}`
const search = (title: string): NamedTest => `web-search: ${title}`
const credentials = (title: string): NamedTest => `credentials: ${title}`

const wrong = 'a request with an invalid %s (%j) is refused with status %i, and nothing is debited'
const image = images('an image has the fields of the specification, and a signed URL for 24 hours')
const imageByOpenAi = images('OpenAI’s client generates and edits an image')
const imagesInA = images('Revision A allows one to ten images, without aliases, extra parameters or edits')
const imageCost = images('the cost depends on count, quality and resolution, and is recorded')
const sameImage = images('the same prompt and seed give the same image, and others give another')
const job = videos('a job is pending with 202 and completed with 200, with the fields of the specification')
const clip = videos('the video is an MP4 file with a correct index, whole and in ranges')
const failedJob = videos('a failed job reports an error, and costs nothing')
const paidJob = videos('a job paid per request is polled with its signed URL, without a key')
const videoCost = videos('the cost depends on duration and quality')
const speech = audio('is a WAV file as long as its text requires, and costs by its characters')
const speaker = audio('uses a voice of either family, given as voice or model')
const speechLimit = audio(
  'allows 2,000 characters with the first family and 5,000 with the second, and refuses one more',
)
const audioInA = audio('has one family and another path in Revision A')
const transcript = audio('of sandbox speech is the original text, with either model, in both revisions')
const badTranscript = audio('is refused with the name of the invalid field')
const catalogue = data('matches the table of the specification (skipped if ../shared is absent)')
const everyEndpoint = data('every endpoint responds, costs its listed price, and is recorded')
const vectors = embeddings('parses floats and base64, one text or a batch, and the usage')
const payable = credentials('payable endpoints return a challenge without a key, and refuse a wrong one')
const results = search(
  'five results are added before the prompt, or as many as requested, and none without the plugin',
)

const resources = 'Resources and their fields'
const keyObject = `${resources} / API key object`
const open = `${resources} / Shapes left open`
const states = 'States and transitions'
const historyRows = 'Endpoints / Query history'
const keyRows = 'Endpoints / API keys'

const dataPaths = [
  'maps | /api/maps/text-search/full',
  'maps | /api/maps/text-search/partial',
  'maps | /api/maps/nearby-search/full',
  'maps | /api/maps/nearby-search/partial',
  'maps | /api/maps/place-details/full',
  'maps | /api/maps/place-details/partial',
  'people | /api/people/org-search',
  'people | /api/people/people-enrich',
  'people | /api/people/org-enrich',
  'websearch | /api/websearch/search',
  'websearch | /api/websearch/find-similar',
  'websearch | /api/websearch/contents',
  'websearch | /api/websearch/answer',
  'webscrape | /api/webscrape/scrape',
  'webscrape | /api/webscrape/search',
  'contacts | /api/contacts/contacts-enrich',
  'contacts | /api/contacts/profile-scrape',
  'serp | /api/serp/news',
  'serp | /api/serp/shopping',
  'forum | /api/forum/search',
  'forum | /api/forum/post-comments',
  'records | /api/records/person-search',
  'records | /api/records/property-search',
  'emailcheck | /api/emailcheck/email-verifier',
  'creator | /api/creator/enrich-by-email',
  'creator | /api/creator/enrich-by-social',
]

/**
 * Rows by the beginning of their id, which must match exactly one row, and the tests that would fail without that
 * row.
 */
export const covered: Readonly<Record<string, readonly NamedTest[]>> = {
  ...each(`${resources} / Account`, ['credit_id', 'api_key'], [account]),
  ...each(keyObject, ['_id', 'usage_limit_usd', 'expire_at', 'created_at'], [created, listed]),
  ...each(
    keyObject,
    ['name'],
    [
      badKey,
      keys('1 and 25 characters, the lowest cap and no cap are accepted'),
      keys('a name is unique within its account'),
    ],
  ),
  ...each(keyObject, ['api_key'], [created, listed, single]),
  ...each(
    keyObject,
    ['current_period_usage_usd', 'total_usage_all_time_usd'],
    [listed, keys('another reset period sets only the usage of the period to 0')],
  ),
  ...each(keyObject, ['reset_period', 'reset_at'], [created, keys('%s: the usage resets at its time')]),
  ...each(keyObject, ['updated_at'], [changed]),
  ...each(keyObject, ['deleted_at'], [keys('stops the key at once, keeps its record, and can’t be undone')]),
  ...each(keyObject, ['list:'], [listed]),
  ...each(keyObject, ['create:'], [created]),
  ...each(keyObject, ['get one:'], [single]),
  ...each(keyObject, ['update:'], [changed]),
  ...each(
    `${resources} / Query record (history)`,
    [
      'timestamp',
      'model',
      'input_count',
      'output_count',
      'price_in_usd',
      'query_type',
      'query_source',
      'api_key_id',
      'isOnline',
      'isFreeModel',
    ],
    [record],
  ),
  ...each(
    `${resources} / Automatic topup settings (NWC wallet)`,
    ['nwc_url'],
    [
      connected,
      wallet(
        'returns 422 for a wallet that can’t pay, doesn’t support NIP-44, has no info event, or is unreachable',
      ),
    ],
  ),
  ...each(
    `${resources} / Automatic topup settings (NWC wallet)`,
    ['threshold_usd', 'topup_amount_usd'],
    [connected, badWallet],
  ),
  ...each(open, ['Other account', 'Balance response'], [account]),
  ...each(
    open,
    ['Topup invoice'],
    [topup('is New, and Settled after its payment: the preimage proves it, and the account is credited')],
  ),
  ...each(
    open,
    ['Payment-methods'],
    [topup('the methods are listed with limits and currencies, without a key')],
  ),
  ...each(open, ['NWC settings'], [connected]),
  ...each(open, ['Chat completion'], [chat('gets the same reply as a stream, with usage if requested')]),
  ...each(
    open,
    ['Models listing'],
    [service('an entry has nine attributes, and prices in the three known formats')],
  ),
  ...each(open, ['Allowed values'], [history('by model, source and type')]),

  ...each(`${states} / API key`, ['(none)'], [created]),
  ...each(
    `${states} / API key`,
    ['active'],
    [keys('stops the key at once, keeps its record, and can’t be undone')],
  ),
  ...each(`${states} / Automatic topup connection`, ['disconnected'], [connected]),
  ...each(
    `${states} / Automatic topup connection`,
    ['connected | Balance'],
    [
      wallet('tops up a balance below the threshold from the wallet, and is recorded'),
      wallet('happens once, even if many requests reduce the balance'),
    ],
  ),
  ...each(
    `${states} / Automatic topup connection`,
    ['connected | DELETE'],
    [wallet('stops when the wallet is disconnected')],
  ),

  ...each(
    'Endpoints / Chat',
    ['`POST /chat/completions`'],
    [
      chat('the account’s ID and x-api-key are accepted'),
      'control: makes one route return %j, without a debit',
    ],
  ),
  ...each(
    'Endpoints / Chat',
    ['model*'],
    [chat('a private model in plaintext, an unknown model, and a model of another kind')],
  ),
  ...each('Endpoints / Chat', ['messages*'], [chat('%s: 400')]),
  ...each(
    'Endpoints / Chat',
    ['Model identifiers that begin'],
    [chat('a private model in plaintext, an unknown model, and a model of another kind'), listing],
  ),
  ...each(
    'Endpoints / Chat',
    ['Request fields other'],
    [
      chat('gets a reply that ends by max_tokens or stop'),
      chat('are called by tool_choice rather than by the prompt'),
    ],
  ),
  ...each(
    'Endpoints / Models',
    ['`GET /v1/models`'],
    [listing, service('an entry has nine attributes, and prices in the three known formats')],
  ),
  ...each(
    'Endpoints / Models',
    ['type'],
    [listing, 'models: type=%s lists only these models, each with nine attributes'],
  ),

  ...each(
    `${resources} / Image result`,
    ['created', 'model', 'cost', 'data |', 'data[].url', 'data[].content_type'],
    [image],
  ),
  ...each(
    `${resources} / Video job`,
    ['id', 'model', 'status |', 'created', 'estimated_cost', 'data', 'cost'],
    [job],
  ),
  ...each(`${resources} / Video job`, ['status_url'], [paidJob]),
  ...each(`${resources} / Video job`, ['error'], [failedJob]),
  ...each(`${states} / Video job`, ['(none)', 'pending | Generation finishes'], [job]),
  ...each(`${states} / Video job`, ['pending | Generation ends'], [failedJob]),

  ...each(
    'Endpoints / Chat',
    ['plugins |', 'plugins[].max_results'],
    [results, search('plugins %j: 400, without a debit')],
  ),
  ...each('Endpoints / Chat', ['plugins[].id*'], [search('plugins %j: 400, without a debit')]),
  ...each(
    'Endpoints / Chat',
    ['When `plugins`'],
    [
      search('results are counted as tokens, the search is billed, and the record is marked as online'),
      search('a streamed answer costs the same, and has its sources at the end'),
    ],
  ),
  ...each(
    'Endpoints / Audio',
    ['`POST /v1/audio/transcriptions`'],
    [transcript, audio('OpenAI’s client generates speech and transcribes it')],
  ),
  ...each('Endpoints / Audio', ['file*'], [audio('accepts 25 MB, and refuses one byte more'), badTranscript]),
  ...each('Endpoints / Audio', ['model | string', 'language', 'prompt'], [transcript, badTranscript]),
  ...each(
    'Endpoints / Audio',
    ['response_format'],
    [audio('is available in each of the five formats'), badTranscript],
  ),
  ...each(
    'Endpoints / Audio',
    ['`GET /v1/audio/models`', '`GET /v1/audio/voices`'],
    [audio('voices and transcription models are listed without a key')],
  ),
  ...each(
    'Endpoints / Audio',
    ['`POST /v1/audio/speech`'],
    [speech, audio('OpenAI’s client generates speech and transcribes it')],
  ),
  ...each('Endpoints / Audio', ['input*'], [speechLimit, audio(wrong)]),
  ...each('Endpoints / Audio', ['model | string #2', 'voice'], [speaker, audio(wrong)]),
  ...each('Endpoints / Images', ['`POST /v1/images/generations`'], [image, imageByOpenAi]),
  ...each('Endpoints / Images', ['model*'], [images(wrong)]),
  ...each('Endpoints / Images', ['prompt'], [sameImage, images(wrong), imagesInA]),
  ...each(
    'Endpoints / Images',
    ['image_url'],
    [
      sameImage,
      images('an upscaler doubles the size, and a background is removed, both without a prompt'),
      images(wrong),
    ],
  ),
  ...each('Endpoints / Images', ['n |'], [imageCost, images(wrong), imagesInA]),
  ...each('Endpoints / Images', ['quality'], [imageCost, images(wrong)]),
  ...each(
    'Endpoints / Images',
    ['size', 'output_format', 'resolution'],
    [images('%j gives %j'), images(wrong)],
  ),
  ...each('Endpoints / Images', ['negative_prompt'], [sameImage, imagesInA]),
  ...each(
    'Endpoints / Images',
    ['`POST /v1/images/edits`'],
    [imageByOpenAi, images('an edit needs a form, an image and a prompt')],
  ),
  ...each(
    'Endpoints / Videos',
    ['`POST /v1/videos`', '`GET /v1/videos/{id}`', 'Returns the Video job.', 'Status 202'],
    [job],
  ),
  ...each('Endpoints / Videos', ['model*', 'prompt*'], [videos(wrong)]),
  ...each('Endpoints / Videos', ['aspect_ratio'], [clip, videos(wrong)]),
  ...each('Endpoints / Videos', ['duration'], [videoCost, clip, videos(wrong)]),
  ...each('Endpoints / Videos', ['quality'], [videoCost, videos(wrong)]),
  ...each(
    'Endpoints / Videos',
    ['image_url'],
    [videos('a model that starts from an image needs one, and has a fixed duration'), videos(wrong)],
  ),
  ...each(
    'Endpoints / Data enrichment',
    ['`GET /v1/data/endpoints`'],
    [catalogue, data('has 39 endpoints in Revision A and 27 in Revision B, each with its price')],
  ),
  ...each('Endpoints / Data enrichment', dataPaths, [catalogue, everyEndpoint]),
  ...each(
    'Endpoints / Data enrichment',
    ['people | /api/people/people-search'],
    [data('people are searched by keywords, places and number'), everyEndpoint],
  ),
  ...each(
    'Endpoints / Data enrichment',
    ['`/x/tweets/search`'],
    [
      catalogue,
      everyEndpoint,
      data('the microblog endpoints exist only in Revision A, and return JSON in a text'),
    ],
  ),
  ...each('Endpoints / Embeddings', ['`POST /v1/embeddings`', 'input'], [vectors, embeddings(wrong)]),
  ...each('Endpoints / Embeddings', ['model'], [embeddings(wrong)]),
  ...each('Endpoints / Embeddings', ['encoding_format'], [vectors, embeddings(wrong)]),
  ...each(
    'Endpoints / Embeddings',
    ['dimensions'],
    [embeddings('dimensions shortens the vectors of the model that supports it'), embeddings(wrong)],
  ),

  ...each(
    'Endpoints / Account funding and balance',
    ['POST /topup/create'],
    [
      topup(
        'is a regtest invoice with an amount, a hash, an expiry and a signature that another decoder reads',
      ),
      topup('%s: has a test network address with a valid checksum'),
      topup('xmr: has a stagenet address with a valid checksum, for any bytes'),
      topup('%s with %j %s: 400 that names the amount'),
    ],
  ),
  ...each(
    'Endpoints / Account funding and balance',
    ['GET /topup/status'],
    [
      topup('expires by the clock, can’t be paid after that, and is deleted three days later'),
      topup('an unknown method, and an invoice of another account'),
    ],
  ),
  ...each(
    'Endpoints / Account funding and balance',
    ['GET /topup/payment-methods'],
    [topup('the methods are listed with limits and currencies, without a key')],
  ),
  ...each(
    'Endpoints / Account funding and balance',
    ['POST /accounts/create', 'POST /credits/balance'],
    [account],
  ),
  ...each('Endpoints / Automatic topup', ['POST /nwc-auto-topup/connect'], [connected, badWallet]),
  ...each('Endpoints / Automatic topup', ['GET /nwc-auto-topup'], [connected]),
  ...each(
    'Endpoints / Automatic topup',
    ['DELETE /nwc-auto-topup/connection'],
    [wallet('stops when the wallet is disconnected')],
  ),
  ...each(historyRows, ['`GET /queries/history`'], [record]),
  ...each(
    historyRows,
    ['credit_id', 'api_key'],
    [
      history('the credit ID sees all queries, or those of one key by its value or its _id'),
      history('each of the two filters is only for one kind of credential'),
    ],
  ),
  ...each(
    historyRows,
    ['all_keys'],
    [
      history('a key sees its own queries, by either header, and the whole account on request'),
      history('each of the two filters is only for one kind of credential'),
    ],
  ),
  ...each(
    historyRows,
    ['start_date', 'end_date'],
    [history('by date: on or after, on or before, the whole day')],
  ),
  ...each(historyRows, ['model', 'query_source', 'query_type'], [history('by model, source and type')]),
  ...each(historyRows, ['page |', 'page_count'], [history('by page'), history('%s: 400')]),
  ...each(keyRows, ['GET /keys |'], [keys('omits revoked keys unless they’re requested'), listed]),
  ...each(keyRows, ['POST /keys'], [created]),
  ...each(keyRows, ['GET /keys/{id}'], [single]),
  ...each(keyRows, ['PATCH /keys/{id}'], [changed, keys('%i and the field %s for %j')]),
  ...each(
    keyRows,
    ['DELETE /keys/{id}', 'The revoke message'],
    [keys('stops the key at once, keeps its record, and can’t be undone')],
  ),
  ...each(
    keyRows,
    ['name*', 'usage_limit_usd', 'reset_period', 'expire_at'],
    [badKey, keys('1 and 25 characters, the lowest cap and no cap are accepted')],
  ),
  ...each(keyRows, ['A null value'], [changed]),
  ...each(
    keyRows,
    ['Changing `reset_period`'],
    [keys('another reset period sets only the usage of the period to 0')],
  ),

  ...each(
    'Authentication',
    ['Account identifier'],
    [
      keys('requires the credit ID: a key doesn’t manage keys'),
      wallet('all three routes require the account’s ID'),
      history('another account sees nothing'),
      account,
    ],
  ),
  ...each('Authentication', ['Account creation'], [account]),
  ...each(
    'Authentication',
    ['Per-request payment', 'The client calls a payable', 'The service answers 402'],
    [perRequest('gets a challenge in the observed form, with a real invoice for the price')],
  ),
  ...each(
    'Authentication',
    ['The client pays the invoice', 'The service verifies'],
    [
      perRequest('%s is accepted once, with a receipt'),
      perRequest('is valid only for the identical request: method, path, query and body'),
    ],
  ),
  ...each(
    'Authentication',
    ['The 402 flow is triggered'],
    [perRequest('a request with a key never gets a challenge, whatever is wrong with the key')],
  ),

  ...each(
    'Authentication',
    ['API key: header'],
    [credentials('endpoints for accounts only require a key with Authorization: Bearer'), payable],
  ),
  ...each(
    'Authentication',
    ['Unauthenticated endpoints'],
    [credentials('listings are public'), image, paidJob],
  ),
  ...each('Authentication', ['Payable endpoints'], [payable]),
  ...each(
    'Authentication',
    ['Data enrichment'],
    [
      payable,
      data('without a key each endpoint can be bought, by GET and POST; with an empty account it can’t'),
    ],
  ),
  ...each(
    'Authentication',
    ['Image generation', 'Image editing'],
    [payable, images('generations and edits can be paid per request, without an account')],
  ),
  ...each('Authentication', ['Video generation', 'A video job paid'], [payable, paidJob]),

  ...each('Errors', ['Video poll'], [job]),
  ...each('Errors', ['Video job ends'], [failedJob]),
  ...each(
    'Errors',
    ['Payable endpoint called'],
    [perRequest('gets a challenge in the observed form, with a real invoice for the price')],
  ),
  ...each(
    'Errors',
    ['Revoked key used'],
    [keys('stops the key at once, keeps its record, and can’t be undone')],
  ),

  ...each('Limits', ['Audio file size'], [audio('accepts 25 MB, and refuses one byte more')]),
  ...each('Limits', ['Speech input length'], [speechLimit, audioInA]),
  ...each('Limits', ['Images per request'], [images(wrong), imagesInA]),
  ...each('Limits', ['Web search results'], [results]),
  ...each(
    'Limits',
    ['Embedding max tokens'],
    [embeddings('an input of 8,191 tokens is accepted, and one more is refused')],
  ),
  ...each(
    'Limits',
    ['API key name', 'Key spending cap', 'Key expiry'],
    [badKey, keys('1 and 25 characters, the lowest cap and no cap are accepted')],
  ),
  ...each('Limits', ['Automatic topup threshold', 'Automatic topup amount'], [connected, badWallet]),
  ...each(
    'Limits',
    ['History page size'],
    [history('%s: 400'), history('the largest page is accepted, and both path forms work')],
  ),
  ...each(
    'Limits',
    ['Signed media URL lifetime'],
    ['signed-urls: has a signature and an expiry, and is valid for 24 hours'],
  ),

  ...each(
    'Versioning',
    ['Most endpoints carry'],
    [
      keys('both path forms return the same keys'),
      topup('both path forms return the same invoice'),
      history('the largest page is accepted, and both path forms work'),
      connected,
      'control: makes one route return %j, without a debit',
    ],
  ),
  ...each('Versioning', ['Two revisions'], [revisions]),
  ...each('Versioning', ['Audio base address', 'Speech providers'], [audioInA]),
  ...each(
    'Versioning',
    ['Images per request', 'Extra image parameters', 'Image editing endpoint'],
    [imagesInA, imageByOpenAi],
  ),
  ...each(
    'Versioning',
    ['Data endpoints'],
    [catalogue, data('has 39 endpoints in Revision A and 27 in Revision B, each with its price')],
  ),
  ...each(
    'Versioning',
    ['Media model listing'],
    [description('media models: a separate listing in A, a filter in B')],
  ),
  ...each('Versioning', ['Private enclave chat models'], [revisions]),
}

/** Rows that require nothing of a service, by the beginning of their id, and why. */
export const askNothing: Readonly<Record<string, string>> = {
  'Endpoints / Chat / Which search engine': 'the specification leaves it open',
  'Endpoints / Videos / Clients poll every': 'it is for clients',
  'Limits / Video poll interval': 'it is for clients',
}
