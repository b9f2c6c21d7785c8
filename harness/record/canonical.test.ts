import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical.js';

const LONE = '\ud800';

describe('RFC 8785', () => {
  test('keys are sorted by UTF-16 code units, as in the example of RFC 8785', () => {
    const unsorted = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '😀': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    };

    expect(Object.values(JSON.parse(canonicalJson(unsorted)) as object)).toHaveLength(7);
    expect(canonicalJson(unsorted)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test.each([
    ['333333333.33333329', '333333333.3333333'],
    ['1E30', '1e+30'],
    ['4.50', '4.5'],
    ['2e-3', '0.002'],
    ['0.000000000000000000000000001', '1e-27'],
    ['5e-324', '5e-324'],
    ['9007199254740993', '9007199254740992'],
    ['1e21', '1e+21'],
    ['100000000000000000000', '100000000000000000000'],
  ])('the number %s is printed as %s', (written, printed) => {
    expect(canonicalJson(Number(written))).toBe(printed);
  });

  test('nested objects are sorted, arrays keep their order, and no space is printed', () => {
    expect(canonicalJson({ b: [3, { z: null, a: true }, 1], a: '"\n€' })).toBe(
      '{"a":"\\"\\n€","b":[3,{"a":true,"z":null},1]}',
    );
  });
});

const TAGGED: readonly (readonly [what: string, value: unknown, text: string])[] = [
  ['an undefined array element', [undefined], '[{"$deltaproof":"undefined"}]'],
  ['NaN', Number.NaN, '{"$deltaproof":"number","value":"NaN"}'],
  ['Infinity', Infinity, '{"$deltaproof":"number","value":"Infinity"}'],
  ['-Infinity', -Infinity, '{"$deltaproof":"number","value":"-Infinity"}'],
  ['-0', -0, '{"$deltaproof":"number","value":"-0"}'],
  ['a BigInt', 2n ** 64n, '{"$deltaproof":"bigint","value":"18446744073709551616"}'],
  ['a Date', new Date(86_400_000), '{"$deltaproof":"date","value":86400000}'],
  [
    'an invalid Date',
    new Date(Number.NaN),
    '{"$deltaproof":"date","value":{"$deltaproof":"number","value":"NaN"}}',
  ],
  ['a Map', new Map<unknown, unknown>([[1, { a: -0 }]]), mapText()],
  ['a Set', new Set(['a', 1]), '{"$deltaproof":"set","value":["a",1]}'],
  ['a Uint8Array', Uint8Array.of(0, 1, 255), '{"$deltaproof":"bytes","value":"0001ff"}'],
  ['an ArrayBuffer', Uint8Array.of(1, 2).buffer, '{"$deltaproof":"ArrayBuffer","value":"0102"}'],
  ['a Float64Array', Float64Array.of(-0), '{"$deltaproof":"Float64Array","value":"0000000000000080"}'],
  [
    'a view on a buffer',
    new DataView(Uint8Array.of(1, 2, 3).buffer, 1, 1),
    '{"$deltaproof":"DataView","value":"02"}',
  ],
  ['a string with a lone surrogate', `a${LONE}`, '{"$deltaproof":"utf16","value":"610000d8"}'],
  [
    'a key with a lone surrogate',
    { [LONE]: 1 },
    '{"$deltaproof":"record","value":[[{"$deltaproof":"utf16","value":"00d8"},1]]}',
  ],
  [
    'an own property __proto__',
    JSON.parse('{"b":2,"__proto__":{"a":1}}'),
    '{"$deltaproof":"record","value":[["__proto__",{"a":1}],["b",2]]}',
  ],
  [
    'an object that owns the tag',
    { $deltaproof: 'undefined' },
    '{"$deltaproof":"record","value":[["$deltaproof","undefined"]]}',
  ],
  ['a symbol', Symbol('s'), '{"$deltaproof":"symbol","value":"Symbol(s)"}'],
];

function mapText(): string {
  return '{"$deltaproof":"map","value":[[1,{"a":{"$deltaproof":"number","value":"-0"}}]]}';
}

describe('values that JSON drops, merges or refuses', () => {
  test.each(TAGGED)('%s is tagged', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test.each(TAGGED)('a plain object that imitates the tag of %s does not collide with it', (_, value) => {
    const text = canonicalJson(value);
    const imitation: unknown = JSON.parse(text);
    const imitationOfTheImitation: unknown = JSON.parse(canonicalJson(imitation));

    expect(new Set([text, ...[imitation, imitationOfTheImitation].map(canonicalJson)]).size).toBe(3);
  });

  test('values that JSON or an object literal would merge stay apart', () => {
    const values: unknown[] = [
      [undefined],
      [null],
      [],
      {},
      [[]],
      0,
      -0,
      '0',
      0n,
      false,
      '',
      null,
      new Date(0),
      '1970-01-01T00:00:00.000Z',
      new Map(),
      new Set(),
      new Map([['a', 1]]),
      { a: 1 },
      [['a', 1]],
      new Set([['a', 1]]),
      Uint8Array.of(1),
      [1],
      { 0: 1 },
      '01',
      LONE,
      '\udc00',
      '\ufffd',
      '\\ud800',
      JSON.parse('{"__proto__":null}'),
      Number.NaN,
      'NaN',
    ];

    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });

  test('a pair of surrogates is an ordinary character', () => {
    expect(canonicalJson({ '😀': '😀' })).toBe('{"😀":"😀"}');
  });

  test('an undefined property equals an absent one, at any depth', () => {
    expect(canonicalJson({ a: undefined, b: [{ c: undefined }] })).toBe('{"b":[{}]}');
  });

  test('a hole of an array equals an undefined element', () => {
    expect(canonicalJson(Array.from({ length: 1 }))).toBe(canonicalJson([undefined]));
    // oxlint-disable-next-line no-sparse-arrays -- the hole is what is looked at
    expect(canonicalJson([1, , 2])).toBe(canonicalJson([1, undefined, 2]));
  });

  test('a toJSON of the value is not asked', () => {
    expect(canonicalJson({ toJSON: 'data' })).toBe('{"toJSON":"data"}');
    expect(canonicalJson({ a: 1, toJSON: () => 'other' })).toMatch(/^\{"a":1,"toJSON":/);
  });

  test('binary data of every kind is told apart by its content', () => {
    expect(canonicalJson(Uint8Array.of(1).buffer)).not.toBe(canonicalJson(Uint8Array.of(2).buffer));
  });

  test('an array of numbers of another width is told apart from a plain object', () => {
    expect(canonicalJson(Float32Array.of(1))).not.toBe(canonicalJson({ 0: 1 }));
  });
});

describe('cycles', () => {
  const inObject: Record<string, unknown> = {};
  inObject['a'] = { b: inObject };
  const inArray: unknown[] = [];
  inArray.push([inArray]);
  const inMap = new Map<unknown, unknown>();
  inMap.set('a', [inMap]);
  const inMapKey = new Map<unknown, unknown>();
  inMapKey.set(inMapKey, 1);
  const inSet = new Set<unknown>();
  inSet.add({ inSet });
  const throughTag: Record<string, unknown> = { $deltaproof: 1 };
  throughTag['self'] = throughTag;

  test.each([
    ['an object', inObject],
    ['an array', inArray],
    ['a Map', inMap],
    ['the key of a Map', inMapKey],
    ['a Set', inSet],
    ['an object that owns the tag', throughTag],
  ])('a cycle through %s throws a TypeError', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(new TypeError('A value with a cycle has no canonical form.'));
  });

  test('a value of any depth without a cycle has a canonical form', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 500; depth += 1) deep = depth % 2 === 0 ? [deep] : { a: deep };

    expect(canonicalJson(deep)).toBe(JSON.stringify(deep));
  });

  test('a value that occurs twice without a cycle is printed twice', () => {
    const shared = { list: [1], map: new Map([[1, 2]]) };

    expect(canonicalJson({ a: shared, b: [shared, shared.list] })).toBe(
      canonicalJson(structuredClone({ a: { ...shared }, b: [{ ...shared }, [1]] })),
    );
  });
});

describe('properties', () => {
  test('the order in which keys were inserted does not matter', () => {
    const keys = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '$deltaproof', LONE));
    const entries = fc.uniqueArray(fc.tuple(keys, fc.anything()), { selector: ([key]) => key });
    const bothOrders = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );

    fc.assert(
      fc.property(bothOrders, ([one, other]) => {
        expect(canonicalJson(Object.fromEntries(one))).toBe(canonicalJson(Object.fromEntries(other)));
      }),
    );
  });

  test('any JSON value without special keys is read back from its canonical text', () => {
    // The text is what is parsed, since fast-check also makes -0, which JSON has no number for.
    const texts = fc
      .json({ stringUnit: 'grapheme' })
      .filter((text) => !text.includes('"__proto__":') && !text.includes('"$deltaproof":'));

    fc.assert(
      fc.property(texts, (text) => {
        const value: unknown = JSON.parse(JSON.stringify(JSON.parse(text)));
        expect(JSON.parse(canonicalJson(value))).toStrictEqual(value);
      }),
    );
  });

  test('two values have the same text exactly when they are deeply equal', () => {
    // A small world in which equal values and near misses are frequent, imitated tags among them.
    const words = ['', 'a', 'undefined', 'number', '-0', 'record', 'utf16', '00d8', '$deltaproof', LONE];
    const keys = fc.constantFrom('a', 'value', '$deltaproof', '__proto__', LONE);
    const { value } = fc.letrec<{ value: unknown; element: unknown }>((tie) => ({
      element: fc.oneof(fc.constant(undefined), tie('value')),
      value: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.constantFrom<unknown>(...words, null, true, 0, -0, Number.NaN, 1n),
        fc.array(tie('element'), { maxLength: 2 }),
        fc.array(fc.tuple(keys, tie('value')), { maxLength: 2 }).map((list) => Object.fromEntries(list)),
        fc.array(tie('value'), { maxLength: 1 }).map((list) => new Set(list)),
        fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 1 }).map((list) => new Map(list)),
      ),
    }));

    let equal = 0;
    fc.assert(
      fc.property(value, value, (one, other) => {
        const same = isDeepStrictEqual(one, other);
        if (same) equal += 1;
        expect(canonicalJson(one) === canonicalJson(other)).toBe(same);
      }),
      { numRuns: 5000 },
    );

    expect(equal).toBeGreaterThan(50);
  });
});
