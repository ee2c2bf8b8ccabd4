import { expect, test } from 'vitest'
import { createAddressRule, networkOf } from './address.ts'

const SPECIAL = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...[
    '127.0.0.1',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
  ],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2001:2::1',
    '2001:10::1',
  ],
  ...[
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
  ],
  ...['fec0::1', 'ff02::1', 'ff0e::1', '4000::1'],
]

test.each(SPECIAL)('%s is refused', (address) => {
  expect(createAddressRule([])(address)).toBe(false)
})

const GLOBAL = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '198.17.0.1',
  '223.255.255.1',
]
test.each([...GLOBAL, '2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'])('%s is admitted', (address) => {
  expect(createAddressRule([])(address)).toBe(true)
})

test.each(['', 'localhost', 'example.com', '1.2.3.4.5', '[::1]', '8.8.8.8/32'])('%j is no address', (text) => {
  expect(createAddressRule(['0.0.0.0/0', '::/0'])(text)).toBe(false)
})

test('a range that is allowed admits its addresses and no others', () => {
  const admits = createAddressRule(['127.0.0.0/8', 'fd00::/8'])
  expect(['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', 'fd12::1'].map(admits)).toEqual([true, true, true, true])
  expect(['10.0.0.1', '::1', 'fc00::1', '::ffff:10.0.0.1'].map(admits)).toEqual([false, false, false, false])
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
])('%s is a caller of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
