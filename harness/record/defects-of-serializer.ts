// Defects of released packages in what a serializer makes of values.

import type { KnownDefect } from './known-defect.js';
import { ALL_BACKENDS } from './names.js';

const CHECKPOINT = '@langchain/langgraph-checkpoint';
const SQLITE = '@langchain/langgraph-checkpoint-sqlite';
const POSTGRES = '@langchain/langgraph-checkpoint-postgres';
/** Whatever the saver: it is not the cause. */
const EVERYWHERE = ALL_BACKENDS;

export const DEFECTS_OF_SERIALIZER: readonly KnownDefect[] = [
  {
    id: 'L5',
    what: 'A write that is a Uint8Array comes back as other bytes, as a Buffer, or cannot be read',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['bytes-write'],
        backends: ['memory'],
        signature: /throws\[SyntaxError: Unexpected token .* is not valid JSON\]/,
      },
      {
        scenarios: ['bytes-write'],
        backends: ['sqlite'],
        packages: { [SQLITE]: '<=1.0.4' },
        signature: 'answers "other bytes: 0 1 239 191 189 239 191 189 239 191 189"',
      },
      {
        scenarios: ['bytes-write'],
        backends: ['postgres'],
        packages: { [POSTGRES]: '<=1.0.5' },
        signature: 'answers "a Buffer"',
      },
    ],
    upstream: null,
    advice: 'Wrap bytes in an object, or write them as base64.',
  },
  {
    id: 'L6',
    what: 'A write that JSON cannot hold becomes an error text',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['unserializable-write'],
        backends: EVERYWHERE,
        signature: 'answers "another value: a text"',
      },
    ],
    upstream: null,
    advice: 'Convert BigInt and the like before they reach the state.',
  },
  {
    id: 'L7',
    what: 'Date becomes a text, NaN and Infinity null, -0 becomes 0',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['values'],
        backends: EVERYWHERE,
        steps: /date(?:, next turn)?/,
        signature:
          'items: missing[{"value":{"$deltaproof":"date","value":1700000000000}}] extra[{"value":"2023-11-14T22:13:20.000Z"}]',
      },
      {
        scenarios: ['values'],
        backends: EVERYWHERE,
        steps: /(?:nan|infinity)(?:, next turn)?/,
        signature:
          /items: missing\[\{"value":\{"\$deltaproof":"number","value":"(?:NaN|-Infinity)"\}\}\] extra\[\{"value":null\}\]/,
      },
      {
        scenarios: ['values'],
        backends: EVERYWHERE,
        steps: /negative zero(?:, next turn)?/,
        signature: 'items: missing[{"value":{"$deltaproof":"number","value":"-0"}}] extra[{"value":0}]',
      },
    ],
    upstream: null,
    advice: 'Keep dates as texts or numbers, and numbers finite.',
  },
  {
    id: 'L8',
    what: 'Data in the form of records of the serializer is revived as what it looks like',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['tool-json'],
        backends: EVERYWHERE,
        steps: /lc 2, (?:undefined|delta snapshot|set)(?:, next turn)?/,
        signature: 'messages: changed[result]',
      },
    ],
    upstream: null,
    advice: 'Store what tools return as text where they can return objects with a field lc.',
  },
  {
    id: 'L13',
    what: 'One BigInt or throwing toJSON in the state replaces the whole checkpoint, on Postgres the channel, by an error text; the run succeeds and the thread cannot be read again',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['values'],
        backends: ['memory', 'sqlite', 'custom'],
        modes: ['full'],
        witnesses: ['head'],
        steps: /bigint|throwing toJSON/,
        signature: "throws[TypeError: Cannot read properties of undefined (reading 'items')]",
      },
      {
        scenarios: ['values'],
        backends: ['memory', 'sqlite', 'custom'],
        modes: ['delta'],
        witnesses: ['head'],
        steps: /bigint|throwing toJSON/,
        signature: 'throws[TypeError: Cannot convert undefined or null to object]',
      },
      {
        // What walks itself says what it has met.
        scenarios: ['values'],
        backends: ['memory', 'sqlite'],
        modes: ['delta'],
        wrappers: ['history-cache', 'redis-history-cache', 'direct-walk', 'cached-direct-walk'],
        witnesses: ['head'],
        steps: /bigint|throwing toJSON/,
        signature: /throws\[CheckpointUnreadableError: .*\]/,
      },
      {
        scenarios: ['values'],
        backends: ['postgres'],
        packages: { [POSTGRES]: '<=1.0.5' },
        steps: /(?:bigint|throwing toJSON)(?:, next turn)?/,
        signature:
          /items: missing\[\{"value":\{(?:"\$deltaproof":"bigint".*|"kept":1\})\}?\] extra\[(?:\[unable to serialize.*|\[,u,n,…,\]: 67)\]/,
      },
    ],
    upstream: null,
    advice: 'Convert BigInt and the like before they reach the state.',
  },
  {
    id: 'L17',
    what: 'Data with lc: 1 and a constructor that nobody knows makes the thread unreadable',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['tool-json'],
        backends: EVERYWHERE,
        witnesses: ['head'],
        steps: 'lc 1, unknown constructor',
        signature: /throws\[Error: Invalid namespace: .*\]/,
      },
    ],
    upstream: null,
    advice: 'Store what tools return as text where they can return JSON of LangChain.',
  },
  {
    id: 'L21',
    what: 'A key named __proto__ is lost with all that it holds',
    packages: { [CHECKPOINT]: '<=1.2.2' },
    sightings: [
      {
        scenarios: ['text'],
        backends: EVERYWHERE,
        steps: /__proto__ key(?:, next turn)?/,
        signature:
          'items: missing[{"$deltaproof":"record","value":[["__proto__",{"polluted":true}],["kept",1]]}] extra[{"kept":1}]',
      },
    ],
    upstream: null,
    advice: 'Keep objects with keys that users choose as lists of pairs.',
  },
];
