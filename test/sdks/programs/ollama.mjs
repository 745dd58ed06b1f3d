import { Ollama } from 'ollama'
import {
  baseUrl,
  city,
  embeddingModel,
  getWeather,
  key,
  model,
  question,
  report,
  toolRequest,
} from './task.mjs'

const ollama = new Ollama({ host: baseUrl.replace(/\/v1$/, ''), headers: { Authorization: `Bearer ${key}` } })
const ask = (messages, more = {}) => ollama.chat({ model, messages, ...more })

const whole = await ask([{ role: 'user', content: question }])
let streamed = ''
for await (const piece of await ask([{ role: 'user', content: question }], { stream: true }))
  streamed += piece.message.content

const tools = [
  { type: 'function', function: { name: 'get_weather', description: 'Weather of a city', parameters: city } },
]
const messages = [{ role: 'user', content: toolRequest }]
const first = await ask(messages, { tools })
messages.push(first.message)
for (const call of first.message.tool_calls)
  messages.push({ role: 'tool', tool_name: call.function.name, content: getWeather(call.function.arguments) })
const afterTool = await ask(messages, { tools })
const secondTurn = await ask([...messages, afterTool.message, { role: 'user', content: question }], { tools })
const structured = JSON.parse(
  (await ask([{ role: 'user', content: question }], { format: city })).message.content,
)
const vectors = (await ollama.embed({ model: embeddingModel, input: ['a', 'b'] })).embeddings.map(
  (vector) => vector.length,
)
report({
  whole: whole.message.content,
  streamed,
  afterTool: afterTool.message.content,
  secondTurn: secondTurn.message.content,
  structured,
  vectors,
})
