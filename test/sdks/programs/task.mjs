import process from 'node:process'

/** The input of every program. Each program reports one line of JSON on standard output. */
export const {
  SOTTO_BASE_URL: baseUrl,
  SOTTO_KEY: key,
  SOTTO_MODEL: model,
  SOTTO_EMBEDDING_MODEL: embeddingModel,
  SOTTO_WAY: way,
} = process.env

export const question = 'Tell me about whispers'
/** The sandbox's models call the tool that a prompt names in this way, and answer when its result arrives. */
export const toolRequest = 'Please call get_weather with {"city":"Oslo"}'
export const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

/** The cities that the tool was called with. */
export const called = []
export function getWeather({ city: asked }) {
  called.push(asked)
  return `12 degrees in ${asked}`
}

/** @param found text of a whole answer, of a stream, and after the tool's result; the second turn; a structured answer; vectors */
export function report(found) {
  process.stdout.write(`${JSON.stringify({ ...found, called })}\n`)
}
