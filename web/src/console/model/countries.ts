import { reads } from './queue';

/**
 * The countries of the sign-up with their three letters, as in the machine-readable lines of documents (ISO 3166-1; Kosovo as in ICAO
 * 9303).
 */
const LETTERS = new Map(
  `
  AD:AND AE:ARE AF:AFG AG:ATG AI:AIA AL:ALB AM:ARM AO:AGO AR:ARG AS:ASM AT:AUT AU:AUS AW:ABW AX:ALA AZ:AZE BA:BIH BB:BRB BD:BGD BE:BEL BF:BFA BG:BGR BH:BHR BI:BDI BJ:BEN BL:BLM
  BM:BMU BN:BRN BO:BOL BQ:BES BR:BRA BS:BHS BT:BTN BW:BWA BY:BLR BZ:BLZ CA:CAN CC:CCK CD:COD CF:CAF CG:COG CH:CHE CI:CIV CK:COK CL:CHL CM:CMR CN:CHN CO:COL CR:CRI CU:CUB CV:CPV
  CW:CUW CX:CXR CY:CYP CZ:CZE DE:DEU DJ:DJI DK:DNK DM:DMA DO:DOM DZ:DZA EC:ECU EE:EST EG:EGY EH:ESH ER:ERI ES:ESP ET:ETH FI:FIN FJ:FJI FK:FLK FM:FSM FO:FRO FR:FRA GA:GAB GB:GBR
  GD:GRD GE:GEO GF:GUF GG:GGY GH:GHA GI:GIB GL:GRL GM:GMB GN:GIN GP:GLP GQ:GNQ GR:GRC GT:GTM GU:GUM GW:GNB GY:GUY HK:HKG HN:HND HR:HRV HT:HTI HU:HUN ID:IDN IE:IRL IL:ISR IM:IMN
  IN:IND IO:IOT IQ:IRQ IR:IRN IS:ISL IT:ITA JE:JEY JM:JAM JO:JOR JP:JPN KE:KEN KG:KGZ KH:KHM KI:KIR KM:COM KN:KNA KP:PRK KR:KOR KW:KWT KY:CYM KZ:KAZ LA:LAO LB:LBN LC:LCA LI:LIE
  LK:LKA LR:LBR LS:LSO LT:LTU LU:LUX LV:LVA LY:LBY MA:MAR MC:MCO MD:MDA ME:MNE MF:MAF MG:MDG MH:MHL MK:MKD ML:MLI MM:MMR MN:MNG MO:MAC MP:MNP MQ:MTQ MR:MRT MS:MSR MT:MLT MU:MUS
  MV:MDV MW:MWI MX:MEX MY:MYS MZ:MOZ NA:NAM NC:NCL NE:NER NF:NFK NG:NGA NI:NIC NL:NLD NO:NOR NP:NPL NR:NRU NU:NIU NZ:NZL OM:OMN PA:PAN PE:PER PF:PYF PG:PNG PH:PHL PK:PAK PL:POL
  PM:SPM PR:PRI PS:PSE PT:PRT PW:PLW PY:PRY QA:QAT RE:REU RO:ROU RS:SRB RU:RUS RW:RWA SA:SAU SB:SLB SC:SYC SD:SDN SE:SWE SG:SGP SH:SHN SI:SVN SJ:SJM SK:SVK SL:SLE SM:SMR SN:SEN
  SO:SOM SR:SUR SS:SSD ST:STP SV:SLV SX:SXM SY:SYR SZ:SWZ TC:TCA TD:TCD TG:TGO TH:THA TJ:TJK TK:TKL TL:TLS TM:TKM TN:TUN TO:TON TR:TUR TT:TTO TV:TUV TW:TWN TZ:TZA UA:UKR UG:UGA
  US:USA UY:URY UZ:UZB VA:VAT VC:VCT VE:VEN VG:VGB VI:VIR VN:VNM VU:VUT WF:WLF WS:WSM XK:RKS YE:YEM YT:MYT ZA:ZAF ZM:ZMB ZW:ZWE
`
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
/** German documents have one letter in these lines (ICAO 9303-3). */
const GERMANY = 'D';
const names = new Intl.DisplayNames('en', { type: 'region' });

/** The forms in which documents write a country: two letters, three letters, and its name. */
function written(typed: string): { iso: string; letters: string; name: string } | undefined {
  const iso = typed.toUpperCase();
  const letters = LETTERS.get(iso);
  return letters === undefined ? undefined : { iso, letters, name: names.of(iso) ?? iso };
}

/** A country by name and letters: `Germany (DE, DEU)`. An unknown country stays as it is. */
export function country(typed: string): string {
  const known = written(typed);
  return known ? `${known.name} (${known.iso}, ${known.letters})` : typed;
}

/** Whether a document shows the typed country. Undefined while nothing is read. */
export function readsCountry(typed: string, read: string): boolean | undefined {
  // Short codes are padded to three places.
  const text = read.replace(/<+\s*$/, '');
  const { iso = typed, letters = typed, name = typed } = written(typed) ?? {};
  return [iso, letters, name].some((one) => reads(one, text)) || (iso === 'DE' && reads(GERMANY, text)) || reads(typed, text);
}
