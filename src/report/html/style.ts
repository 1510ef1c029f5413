import { LOOK } from '../../look.ts';

/** The style of the page: the shared look, and what only a report has. */
export const STYLE: string = `${LOOK}.wrap{max-width:70rem;margin:0 auto;padding:0 1.25rem}


.hero{border-top:6px solid var(--tone);background:linear-gradient(var(--tone-bg),transparent)}
.drift{--tone:var(--error);--tone-bg:var(--error-bg)}.inconclusive,.interrupted,.warned{--tone:var(--warning);--tone-bg:var(--warning-bg)}.agrees{--tone:var(--good);--tone-bg:var(--good-bg)}
.hero .wrap{padding-top:2.25rem;padding-bottom:1.5rem}
.eyebrow{color:var(--soft);font-size:.85rem;letter-spacing:.02em}
h1{display:flex;align-items:center;gap:.7rem;font-size:clamp(1.9rem,5vw,2.9rem);line-height:1.15;letter-spacing:-.025em;color:var(--tone);margin:.35rem 0 .4rem}
h1 svg{flex:none;width:1.05em;height:1.05em}
.lead{font-size:1.15rem;max-width:46rem}
.why{margin:.7rem 0 0;padding:0;list-style:none;max-width:46rem}.why li{padding:.3rem 0 .3rem .8rem;border-left:3px solid var(--tone);margin-bottom:.35rem}.why b{margin-right:.35rem;white-space:nowrap}
.facts div{display:flex;gap:.5rem;min-width:0}.facts dt{color:var(--soft)}.facts dd{margin:0;min-width:0}

nav{position:sticky;top:0;z-index:5;background:var(--bg);border-bottom:1px solid var(--line)}
nav .wrap{display:flex;flex-wrap:wrap;gap:.1rem 1.4rem;padding-top:.55rem;padding-bottom:.55rem}
nav a{color:var(--soft);text-decoration:none;font-size:.92rem;white-space:nowrap}nav a:hover{color:var(--ink)}nav b{color:var(--ink);font-weight:600}

main section{margin:2.6rem 0}section h3{font-size:1rem}section>h3{margin:1.4rem 0 .1rem}section>h3+p{color:var(--soft);margin-bottom:.7rem}
h2{font-size:1.35rem;letter-spacing:-.01em;margin-bottom:.3rem}
h2+p{color:var(--soft);margin-bottom:1rem;max-width:50rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:1rem;margin:1.5rem 0 0}
.tile{padding:1.1rem 1.25rem}.tile h3{font-size:.85rem;font-weight:500;color:var(--soft)}
.big{font-size:2.1rem;line-height:1.2;font-weight:650;letter-spacing:-.03em;font-variant-numeric:tabular-nums}.big small{font-size:1rem;font-weight:400;color:var(--soft);letter-spacing:0}
.split{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.88rem;color:var(--soft);margin-top:.35rem}
.split span{white-space:nowrap}.split b{font-variant-numeric:tabular-nums;color:var(--ink)}
.bar{display:block;width:100%;height:10px;border-radius:5px;margin-top:.7rem;background:var(--sunk)}
.f-error{fill:var(--error)}.f-warning{fill:var(--warning)}.f-info{fill:var(--info)}.f-good{fill:var(--good)}.f-rest{fill:var(--line)}.f-doc{fill:var(--doc)}

.next{padding:1rem 1.25rem}.next ul{padding-left:1.1rem}

.tools label{display:flex;white-space:nowrap;align-items:center;gap:.4rem;cursor:pointer}
.tools input[type=search]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.35rem .7rem;width:min(100%,20rem)}
.tools output{color:var(--soft)}
#findings:has(#s-error:not(:checked)) .error.f,#findings:has(#s-warning:not(:checked)) .warning.f,#findings:has(#s-info:not(:checked)) .info.f{display:none}

.op{margin:0 0 1rem;overflow:hidden}.op>summary{padding:.85rem 1.1rem}.op[open]>summary{border-bottom:1px solid var(--line)}
.op .name{font-weight:600;max-width:calc(100% - 1.3rem)}.op .call{color:var(--soft);flex:1 1 16rem;min-width:0}
.chip{display:inline-block;border-radius:99px;padding:.05rem .6rem;font-size:.8rem;font-weight:600;white-space:nowrap;background:var(--sunk);color:var(--soft)}
.chip.error{background:var(--error-bg);color:var(--error)}.chip.warning{background:var(--warning-bg);color:var(--warning)}.chip.info{background:var(--info-bg);color:var(--info)}.chip.good{background:var(--good-bg);color:var(--good)}
.chip.new{background:var(--ink);color:var(--card)}.chip.documented{color:var(--doc)}.chip.observed{color:var(--obs)}
.f{padding:1rem 1.1rem;border-left:4px solid var(--tone)}
.many .f{content-visibility:auto;contain-intrinsic-size:auto 15rem}.many .rows .f{contain-intrinsic-size:auto 2.2rem}
.f+.f{border-top:1px solid var(--line)}.f.error{--tone:var(--error)}.f.warning{--tone:var(--warning)}.f.info{--tone:var(--info)}
.f h3{display:flex;flex-wrap:wrap;align-items:baseline;gap:.3rem .7rem;font-size:1.02rem}
.f:target{background:var(--sunk)}
.f p{margin:.35rem 0 .8rem}
.shapes{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.shape{border:1px solid var(--line);border-radius:8px;background:var(--sunk);min-width:0}
.shape h4{margin:0;padding:.35rem .75rem;font-size:.8rem;font-weight:500;color:var(--soft);border-bottom:1px solid var(--line);display:flex;justify-content:space-between;gap:.5rem;flex-wrap:wrap}.shape h4 .chip{padding:0;background:none;font-size:inherit}
.shape pre{margin:0;padding:.6rem .75rem;white-space:pre-wrap;max-height:22rem;overflow:auto}
.actual pre{color:var(--tone)}
.meta{display:flex;flex-wrap:wrap;gap:.15rem 1.3rem;margin-top:.7rem;font-size:.86rem;color:var(--soft)}
.ticket code{user-select:all}.repeat{margin-top:.5rem;font-size:.86rem;color:var(--soft)}.repeat pre{margin:.4rem 0 0;padding:.6rem .75rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--sunk);border:1px solid var(--line);border-radius:8px;color:var(--ink);user-select:all}
.rows .ids{font-size:.86rem}.remarks li{padding-left:0;border-left:0}.infos .call{font-size:.9rem}
.rows{margin:0;padding:0;list-style:none}.rows li{padding:.35rem 1.1rem;border-top:1px solid var(--line);font-size:.92rem;border-left:4px solid var(--tone)}
.rows .f{padding:.35rem 1.1rem}.rows .f+.f{border-top:1px solid var(--line)}
.none{padding:1.4rem;color:var(--soft)}

.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.86rem;color:var(--soft);margin-bottom:.8rem}.legend span{display:flex;align-items:center;gap:.4rem}
.map{padding:.4rem 0}.map details>summary,.map .row{display:grid;grid-template-columns:1rem minmax(9rem,16rem) 1fr auto;align-items:center;gap:.6rem;padding:.3rem 1.1rem}
.map details>summary::before{align-self:center}
.map details>summary:hover{background:var(--sunk)}.map .row{color:var(--soft)}
.map .label{font-size:.88rem;min-width:0}.map .num{font-size:.84rem;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
.cells{display:flex;flex-wrap:wrap;gap:3px;min-width:0}
.c{width:13px;height:13px;border-radius:3px;border:1.5px solid var(--k);flex:none}.c.documented{--k:var(--doc)}.c.observed{--k:var(--obs)}.c.assumed{--k:var(--ass)}
.c.all{background:var(--k)}.c.some{background:linear-gradient(135deg,var(--k) 50%,transparent 50%)}
.o{width:13px;height:13px;border-radius:50%;flex:none}.o.passed{background:var(--good)}.o.failed{background:var(--error)}.o.inconclusive{background:var(--warning)}.o.skipped{border:1.5px solid var(--ass)}
.inner{padding:.3rem 1.1rem 1rem 2.7rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}th{font-weight:500;color:var(--soft);text-align:left;font-size:.82rem}
th,td{padding:.3rem .8rem .3rem 0;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:break-word}tr:last-child>td{border-bottom:0}
@media (min-width:42.01rem){td:has(>.chip:only-child),td.nb{width:1%}}
td code{overflow-wrap:anywhere}.nb{white-space:nowrap}td .nb+.nb{margin-left:.7rem}.pad>.none{padding:.6rem 0 0}
.ids{display:flex;flex-wrap:wrap;gap:.1rem .9rem;color:var(--soft)}
progress{appearance:none;width:6rem;max-width:100%;height:8px;border:0;border-radius:4px;background:var(--sunk);overflow:hidden;vertical-align:middle}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--doc)}progress::-moz-progress-bar{background:var(--doc)}
.op.card+.op.card,.map+.op{margin-top:1rem}.names{display:flex;flex-wrap:wrap;gap:.4rem;padding:1rem 1.1rem}.names+.names{border-top:1px solid var(--line)}.names p{flex:1 0 100%;color:var(--soft);font-size:.9rem}.names code{background:var(--sunk);border-radius:6px;padding:.1rem .5rem}
.watch{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem}
.watch article{padding:1.1rem 1.25rem}.watch h3{font-size:1rem}.watch p{color:var(--soft);font-size:.9rem;margin:.1rem 0 .7rem}
.chips{display:flex;flex-wrap:wrap;gap:.35rem}.watch .since{display:flex;flex-wrap:wrap;gap:0 1rem;color:var(--ink);margin:.6rem 0 0}.watch dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .9rem;margin-top:.7rem;font-size:.88rem}.watch dt{color:var(--soft)}.watch dd{margin:0}
.accepted{padding:.9rem 1.1rem 0}
.pad{padding:1.1rem 1.25rem}
.plot{display:grid;grid-template-columns:2.4rem 1fr;column-gap:.5rem;margin-bottom:.8rem}.plot svg{display:block;width:100%;height:214px}.plot text{fill:var(--soft);font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums}.grid{stroke:var(--line);stroke-width:1}
.mark.f-rest{fill:var(--card);stroke:var(--ink);stroke-width:1.5}.sign{display:inline-block;min-width:1.1em;text-align:center;margin-right:.35em}.sign.error{color:var(--error)}.sign.warning{color:var(--warning)}.sign.good{color:var(--good)}
.ends{grid-column:2;display:flex;justify-content:space-between;gap:1rem;font-size:.84rem;color:var(--soft)}
footer{color:var(--soft);font-size:.86rem;padding:1.5rem 0 3rem;border-top:1px solid var(--line);margin-top:3rem}
@media (max-width:42rem){.shapes{grid-template-columns:1fr}.map details>summary,.map .row{grid-template-columns:1rem 1fr auto}.map .cells{grid-column:2/-1;grid-row:2}.inner{padding-left:1.1rem}
nav{position:static}.hide-s{display:none}
.stack,.stack tbody,.stack tr{display:block}.stack thead{display:none}.stack tr{display:flex;flex-wrap:wrap;gap:.2rem .8rem;padding:.5rem 0;border-bottom:1px solid var(--line)}.stack tr:last-child{border-bottom:0}.stack td{padding:0;border:0;max-width:100%}.stack td:has(code,.ids,details){flex:1 0 100%}.stack .hide-s{display:none}
.tiles{gap:.5rem}.tile{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .8rem;padding:.55rem 1rem}.tile .big{font-size:1.2rem}.tile .bar{display:none}.tile .split{margin:0}
.hero .wrap{padding-top:1.5rem}.op .call{flex-basis:100%}}
@media print{nav,.tools{display:none}body{background:#fff}.card{box-shadow:none;break-inside:avoid-page}.many .f{content-visibility:visible}}
`.trim();

/** The one thing that needs a script: searching. Without it the field stays hidden and all else works. */
export const SCRIPT: string = `
(()=>{const q=document.getElementById('q');if(!q)return;const out=document.getElementById('q-out');
const all=[...document.querySelectorAll('#findings .f')];let text;
document.getElementById('q-box').hidden=false;
q.addEventListener('input',()=>{text??=all.map(e=>e.textContent.toLowerCase()+' '+(e.closest('.op')?.querySelector('summary').textContent.toLowerCase()??''));
const words=q.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;
all.forEach((e,i)=>{const on=words.every(w=>text[i].includes(w));e.hidden=!on;if(on)n++});
document.querySelectorAll('#findings .op').forEach(d=>{const some=[...d.querySelectorAll('.f')].some(e=>!e.hidden);d.hidden=!some;if(words.length&&some)d.open=true});
out.value=words.length?n+' of '+all.length:''})})();
`.trim();
