// What can be said of a contact from its impulse, gap and relative velocity alone, beside the residual that the solver left.
import { measureOf, type ContactMeasure, type Contacts } from './frame';

/** The contact that penetrates most, or whose residual is the largest; -1 where there is none above zero. */
export function worstContact(contacts: Contacts | undefined, measure: ContactMeasure): number {
  let worst = -1, most = 0;
  for (let i = 0; contacts && i < contacts.count; i++) {
    const value = measureOf(contacts, measure, i);
    if (value !== undefined && value > most) [worst, most] = [i, value];
  }
  return worst;
}

/** Normal and tangential parts of the vector `v` of contact i, and the size of the tangential one. */
export function splitAlongNormal(contacts: Contacts, v: Float32Array, i: number) {
  const n = contacts.normal!.subarray(3 * i, 3 * i + 3), w = v.subarray(3 * i, 3 * i + 3);
  const normal = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
  const along = [0, 1, 2].map((k) => w[k] - normal * n[k]);
  return { normal, tangent: Math.hypot(...along), along };
}

export interface ContactCheck {
  cone?: number; // |r_t| - mu r_n, N s: not positive inside Coulomb's cone
  complementarity?: number; // r_n u_n, J: zero where the contact closes without rebound
  opposition?: number; // r_t u_t + mu r_n |u_t|, J: zero where friction is on its cone and against the slip, or nothing slips
  agrees?: boolean; // whether the stored status is what impulse and cone say
}

const ROUND = 1e-5; // of single precision, relative, a few operations on

export function checkContact(contacts: Contacts, i: number, mu: number | undefined): ContactCheck {
  if (!contacts.impulse || !contacts.normal) return {};
  const r = splitAlongNormal(contacts, contacts.impulse, i), check: ContactCheck = {};
  const u = contacts.velocity && splitAlongNormal(contacts, contacts.velocity, i);
  if (u) check.complementarity = r.normal * u.normal;
  if (mu === undefined) return check;
  check.cone = r.tangent - mu * r.normal;
  if (u) check.opposition = r.along.reduce((sum, x, k) => sum + x * u.along[k], 0) + mu * r.normal * u.tangent;
  const inside = check.cone <= ROUND * mu * Math.abs(r.normal), acts = r.normal > 0 || r.tangent > 0;
  // Sticking may be anywhere in the cone, sliding is on it; open or inactive contacts carry nothing.
  check.agrees = contacts.status[i] < 2 ? !acts : contacts.status[i] === 2 ? inside : Math.abs(check.cone) <= 1e-3 * mu * Math.abs(r.normal);
  return check;
}
